import type { CurrentUser } from '@sluice/contract';
import { useState } from 'react';
import type { Screens } from '../../components/layout/use-screens.ts';
import { type Command, findCommands, keyOf } from './commands.ts';
import { useRecentPlaces } from './recent-places.ts';
import { useActions } from './use-actions.ts';
import { findRequestPlace, listScreenPlaces, useUserPlaces } from './use-places.ts';

interface PaletteDeps {
  user: CurrentUser;
  screens: Screens;
  onOpenShortcuts: () => void;
}

/** State of the palette: text, matches and active match. */
export function usePalette({ user, screens, onOpenShortcuts }: PaletteDeps) {
  const [typed, setTyped] = useState('');
  const [activeKey, setActiveKey] = useState<string>();
  const recent = useRecentPlaces();
  const users = useUserPlaces(user, typed);
  const actions = useActions(onOpenShortcuts);

  const known = [...listScreenPlaces(screens), ...users.places, ...actions];
  const commands: Command[] = [
    ...(typed.trim() === '' ? recent.places : findRequestPlace(user, typed)),
    ...findCommands<Command>(known, typed),
  ];
  const active = commands.find((command) => keyOf(command) === activeKey) ?? commands[0];

  return {
    typed,
    commands,
    active,
    users,
    noteRecent: recent.note,
    type: (text: string) => {
      setTyped(text);
      setActiveKey(undefined);
    },
    activate: (command: Command) => setActiveKey(keyOf(command)),
    /** Activates the next or previous match, wrapping around. */
    step: (by: 1 | -1) => {
      const next = active && commands.at((commands.indexOf(active) + by) % commands.length);
      if (next) setActiveKey(keyOf(next));
    },
  };
}
