import { modifierKey } from '../../lib/modifier-key.ts';
import styles from './dialog.module.css';

/** Key hints of the palette. */
export function PaletteKeys() {
  return (
    <p className={styles.footer}>
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> choose
      </span>
      <span>
        <kbd>Enter</kbd> open
      </span>
      <span>
        <kbd>{modifierKey}</kbd> <kbd>Enter</kbd> in a new tab
      </span>
      <span>
        <kbd>Esc</kbd> close
      </span>
    </p>
  );
}
