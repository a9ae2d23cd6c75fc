import { requestId } from '@sluice/contract';
import type { LucideIcon } from 'lucide-react';

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

/** Returns how well a text matches: 0 for no match, 3 for a match at its start. Every typed word must occur. */
export function rank(text: string, typed: string): number {
  const place = text.toLowerCase();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return 1;
  return Math.min(...words.map((word) => rankWord(place, word)));
}

function rankWord(place: string, word: string): number {
  const at = place.indexOf(word);
  if (at === -1) return 0;
  if (at === 0) return 3;
  return place.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word)) ? 2 : 1;
}
