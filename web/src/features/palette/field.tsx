import type { CurrentUser } from '@sluice/contract';
import { Search } from 'lucide-react';
import { modifierKey } from '#lib/keyboard.ts';
import styles from './field.module.css';

interface PaletteFieldProps {
  user: CurrentUser;
  onOpen: () => void;
  /** Preloads the dialog when the palette is about to be opened. */
  onPrepare: () => void;
}

export function PaletteField({ user, onOpen, onPrepare }: PaletteFieldProps) {
  const maySearch = user.role.permissions.includes('users.read');
  return (
    <button
      type="button"
      className={styles.field}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={onOpen}
      onPointerEnter={onPrepare}
      onFocus={onPrepare}
    >
      <Search className={styles.icon} size={16} strokeWidth={1.5} aria-hidden />
      <span className={styles.text}>
        {maySearch ? 'Go to a page, find a user, paste a request ID' : 'Go to a page, or run a command'}
      </span>
      <span className={styles.keys} aria-hidden="true">
        <kbd>{modifierKey} K</kbd>
      </span>
    </button>
  );
}
