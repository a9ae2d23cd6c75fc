import type { LucideIcon } from 'lucide-react';
import styles from './details-drawer.module.css';

interface DrawerButtonProps {
  name: string;
  icon: LucideIcon;
  isDisabled?: boolean;
  onClick: () => void;
}

export function DrawerButton({ name, icon: Icon, isDisabled = false, onClick }: DrawerButtonProps) {
  return (
    <button
      type="button"
      className={styles.button}
      aria-label={name}
      title={name}
      aria-disabled={isDisabled}
      onClick={() => !isDisabled && onClick()}
    >
      <Icon size={16} strokeWidth={1.5} aria-hidden />
    </button>
  );
}
