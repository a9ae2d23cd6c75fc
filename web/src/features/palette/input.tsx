import { Search } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import styles from './dialog.module.css';

interface PaletteInputProps {
  typed: string;
  listId: string;
  activeOptionId: string | undefined;
  onType: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

export function PaletteInput({ typed, listId, activeOptionId, onType, onKeyDown }: PaletteInputProps) {
  return (
    <div className={styles.search}>
      <Search size={16} strokeWidth={1.5} aria-hidden />
      <input
        data-autofocus
        className={styles.input}
        role="combobox"
        aria-label="Go to a screen, find a user, paste a request id, or do something"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={activeOptionId}
        aria-autocomplete="list"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="Go to, find a user, paste a request id"
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
