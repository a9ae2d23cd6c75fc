import { Modal } from '@mantine/core';
import type { CurrentUser } from '@sluice/contract';
import { useRouter } from '@tanstack/react-router';
import type { KeyboardEvent, ReactNode } from 'react';
import type { Screens } from '../../components/layout/use-screens.ts';
import { formatQuantity } from '../../lib/format-number.ts';
import { messageOf } from '../../lib/message-of.ts';
import type { Command } from './commands.ts';
import styles from './dialog.module.css';
import { PaletteInput } from './input.tsx';
import { PaletteKeys } from './keys.tsx';
import { listId, optionIdOf, PaletteList } from './list.tsx';
import { usePalette } from './use-palette.ts';

interface PaletteProps {
  user: CurrentUser;
  screens: Screens;
  onOpenShortcuts: () => void;
  /** Called before the selected command runs. */
  onChoose: () => void;
  onDismiss: () => void;
}

/** Command palette: navigates and runs actions by typing. */
export function Palette({ onChoose, onDismiss, ...deps }: PaletteProps) {
  const palette = usePalette(deps);
  const { commands, active } = palette;
  const router = useRouter();

  const run = (command: Command, inNewTab: boolean) => {
    onChoose();
    if (!('href' in command)) return void command.run();
    palette.noteRecent(command);
    if (inNewTab) window.open(command.href, '_blank', 'noopener');
    else router.history.push(command.href);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') palette.step(1);
    else if (event.key === 'ArrowUp') palette.step(-1);
    else if (event.key === 'Enter' && active) run(active, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };

  return (
    <Modal.Root
      opened
      onClose={onDismiss}
      returnFocus={false}
      size="40rem"
      yOffset="12vh"
      scrollAreaComponent={Frame}
      classNames={{ content: styles.content }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Command palette">
        <PaletteInput
          typed={palette.typed}
          listId={listId}
          activeOptionId={active && optionIdOf(commands, active)}
          onType={palette.type}
          onKeyDown={onKeyDown}
        />
        <PaletteList commands={commands} active={active} onActivate={palette.activate} onRun={run} />
        <PaletteStatus palette={palette} />
        <PaletteKeys />
      </Modal.Content>
    </Modal.Root>
  );
}

/** Dialog without its own scrolling, since the list scrolls. */
function Frame({ children }: { children?: ReactNode }) {
  return <div className={styles.frame}>{children}</div>;
}

function PaletteStatus({ palette }: { palette: ReturnType<typeof usePalette> }) {
  const { typed, commands, users } = palette;
  return (
    <div className={styles.status} role="status">
      {users.isSearching && <p>Looking for users...</p>}
      {users.error && <p>Users cannot be searched: {messageOf(users.error, 'the gate cannot be reached')}</p>}
      {commands.length === 0 && !users.isSearching && (
        <p>
          No results for “{typed.trim()}”. Try a page, a person’s name or e-mail address, or a request ID.
        </p>
      )}
      {commands.length > 0 && (
        <span className="visually-hidden">{formatQuantity(commands.length, 'answer')}</span>
      )}
    </div>
  );
}
