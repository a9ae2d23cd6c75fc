import { Modal } from '@mantine/core';
import { useSessionStorage } from '@mantine/hooks';
import type { CurrentUser } from '@sluice/contract';
import { useRouter } from '@tanstack/react-router';
import { Clock, Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { Screens } from '#components/layout/use-screens.ts';
import { explain } from '#lib/describe-failure.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { modifierKey } from '#lib/keyboard.ts';
import {
  type Command,
  findCommands,
  findRequestPlace,
  inGroupOrder,
  keyOf,
  listScreenPlaces,
  type Place,
  useActions,
} from './commands.ts';
import styles from './dialog.module.css';
import { listId, optionIdOf, PaletteList } from './list.tsx';
import { useObjectPlaces } from './object-places.ts';

interface PaletteProps {
  user: CurrentUser;
  screens: Screens;
  onOpenShortcuts: () => void;
  /** Called before the selected command runs. */
  onChoose: () => void;
  onDismiss: () => void;
}

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

/** The frame does not scroll, because the list scrolls. */
function Frame({ children }: { children?: ReactNode }) {
  return <div className={styles.frame}>{children}</div>;
}

function PaletteStatus({ palette }: { palette: ReturnType<typeof usePalette> }) {
  const { typed, commands, objects } = palette;
  return (
    <div className={styles.status} role="status">
      {objects.isSearching && <p>Searching...</p>}
      {objects.failure && (
        <p>{explain(`${objects.failure.what} cannot be searched`, objects.failure.error)}</p>
      )}
      {commands.length === 0 && !objects.isSearching && (
        <p>No results for “{typed.trim()}”. Try a page, a person’s name or email address, or a request ID.</p>
      )}
      {commands.length > 0 && (
        <span className="visually-hidden">{formatQuantity(commands.length, 'result')}</span>
      )}
    </div>
  );
}

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

const keptCount = 5;

type Kept = Pick<Place, 'id' | 'label' | 'href'> & { detail: string | undefined };

/** The places contain names, so they are stored only until the tab closes. */
export function useRecentPlaces(): { places: readonly Place[]; note: (place: Place) => void } {
  const [kept, setKept] = useSessionStorage<readonly Kept[]>({
    key: 'sluice-recent-places',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  return {
    places: kept.map(({ detail, ...place }) => ({
      ...place,
      ...(detail === undefined ? {} : { detail }),
      group: 'Recent',
      icon: Clock,
    })),
    note: ({ id, label, detail, href }) => {
      const others = kept.filter((place) => place.id !== id);
      setKept([{ id, label, detail, href }, ...others].slice(0, keptCount));
    },
  };
}

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
        aria-label="Go to a page, find a user, paste a request ID, or run a command"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={activeOptionId}
        aria-autocomplete="list"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="Go to a page, find a user, paste a request ID"
        value={typed}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}

interface PaletteDeps {
  user: CurrentUser;
  screens: Screens;
  onOpenShortcuts: () => void;
}

export function usePalette({ user, screens, onOpenShortcuts }: PaletteDeps) {
  const [typed, setTyped] = useState('');
  const [activeKey, setActiveKey] = useState<string>();
  const recent = useRecentPlaces();
  const objects = useObjectPlaces(user, typed);
  const actions = useActions(onOpenShortcuts);

  const known = [...listScreenPlaces(screens), ...actions];
  const commands: Command[] = [
    ...(typed.trim() === '' ? recent.places : findRequestPlace(user, typed)),
    ...inGroupOrder([...findCommands<Command>(known, typed), ...objects.places]),
  ];
  const active = commands.find((command) => keyOf(command) === activeKey) ?? commands[0];

  return {
    typed,
    commands,
    active,
    objects,
    noteRecent: recent.note,
    type: (text: string) => {
      setTyped(text);
      setActiveKey(undefined);
    },
    activate: (command: Command) => setActiveKey(keyOf(command)),
    /** Wraps around. */
    step: (by: 1 | -1) => {
      const next = active && commands.at((commands.indexOf(active) + by) % commands.length);
      if (next) setActiveKey(keyOf(next));
    },
  };
}
