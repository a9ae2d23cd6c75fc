import { requestId } from '@sluice/contract';
import type { LucideIcon } from 'lucide-react';
import { rank } from './rank.ts';

export const groups = ['Recent', 'Requests', 'Go to', 'Users', 'Do'] as const;
export type Group = (typeof groups)[number];

interface Entry {
  /** Stable across openings of the palette. */
  readonly id: string;
  readonly group: Group;
  readonly label: string;
  /** Distinguishes entries with the same name. */
  readonly detail?: string;
  /** Additional search words. */
  readonly words?: string;
  readonly keys?: string;
  readonly icon: LucideIcon;
}

/** Command that navigates. */
export interface Place extends Entry {
  readonly href: string;
}

/** Command that runs on the current page. */
export interface Action extends Entry {
  readonly run: () => unknown;
}

export type Command = Place | Action;

/** Returns the commands that match the typed text, in group order, best matches first. */
export function findCommands<Item extends Command>(commands: readonly Item[], typed: string): Item[] {
  return commands
    .map((command) => ({ command, score: rank(textOf(command), typed) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => placeOf(one.command) - placeOf(other.command) || other.score - one.score)
    .map(({ command }) => command);
}

/** Returns a unique key; a recent place is listed in two groups. */
export const keyOf = ({ group, id }: Command) => `${group} ${id}`;

/** Returns the typed text if it is a request id. */
export function readRequestId(typed: string): string | undefined {
  return requestId.safeParse(typed.trim().toLowerCase()).data;
}

const textOf = ({ label, detail = '', words = '' }: Command) => `${label} ${detail} ${words}`;
const placeOf = ({ group }: Command) => groups.indexOf(group);
