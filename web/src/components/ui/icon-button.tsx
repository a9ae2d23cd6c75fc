import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import styles from './icon-button.module.css';

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'className' | 'children'> {
  /** Accessible name with action and target, for example `Edit Ada Lovelace`. */
  label: string;
  icon: LucideIcon;
  iconSize?: number;
}

/** The default size suits touch. A parent can override it with `--icon-button-size`. */
export function IconButton({ label, icon: Icon, iconSize = 16, ...props }: IconButtonProps) {
  return (
    <button {...props} type="button" className={styles.button} aria-label={label}>
      <Icon size={iconSize} strokeWidth={1.5} aria-hidden />
    </button>
  );
}
