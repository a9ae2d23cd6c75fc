import { requestId } from '@sluice/contract';
import type { LucideIcon } from 'lucide-react';
import { rank } from './rank.ts';

export const groups = ['Recent', 'Requests', 'Go to', 'Users', 'Do'] as const;
export type Group = (typeof groups)[number];

interface Entry {
  /** The same from one opening of the palette to the next. */
  readonly id: string;
  readonly group: Group;
  readonly label: string;
  /** What tells it from others of the same name. */
  readonly detail?: string;
  /** Further words that find it. */
  readonly words?: string;
  readonly keys?: string;
  readonly icon: LucideIcon;
}

/** A place to go to. */
export interface Place extends Entry {
  readonly href: string;
}

/** Something that the palette does, where one is. */
export interface Action extends Entry {
  readonly run: () => unknown;
}

export type Command = Place | Action;

/** The commands that answer what was typed: the groups in their order, the best of each first. */
export function findCommands<Item extends Command>(commands: readonly Item[], typed: string): Item[] {
  return commands
    .map((command) => ({ command, score: rank(textOf(command), typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => placeOf(one.command) - placeOf(other.command) || other.score - one.score)
    .map(({ command }) => command);
}

/** Tells a command from all others in the list, where a recent place stands twice. */
export const keyOf = ({ group, id }: Command) => `${group} ${id}`;

/** The request id that was typed or pasted, if it is one. */
export function readRequestId(typed: string): string | undefined {
  return requestId.safeParse(typed.trim().toLowerCase()).data;
}

const textOf = ({ label, detail = '', words = '' }: Command) => `${label} ${detail} ${words}`;
const placeOf = ({ group }: Command) => groups.indexOf(group);
