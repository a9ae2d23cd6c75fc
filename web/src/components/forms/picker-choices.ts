import { foldText } from '@sluice/contract';

export interface PickerChoice {
  value: string;
  label: string;
  /** Distinguishes choices with the same name, for example by email address. The search covers this text as well. */
  detail?: string;
  /** Warning next to the name, for example `Blocked`. */
  note?: string | undefined;
  /** Whether the choice is listed but disabled. `note` states the reason. */
  isDisabled?: boolean | undefined;
}

/** The options may be fetched when the picker first opens. */
export interface PickerSource {
  /** `undefined` while loading. */
  choices: readonly PickerChoice[] | undefined;
  /** Reason why the choices could not be loaded. The list then has a retry button. */
  problem?: string | undefined;
  onOpen?: () => void;
  onRetry?: () => void;
}

interface ChoicesSearch {
  text: string;
  taken: readonly string[];
  shownMax: number;
}

/** Returns the best matches for a text and the number of further matches. */
export function findChoices(
  choices: readonly PickerChoice[],
  { text, taken, shownMax }: ChoicesSearch,
): { shown: readonly PickerChoice[]; moreCount: number } {
  const wanted = foldText(text.trim());
  const isTaken = new Set(taken);
  const found = choices
    .filter(({ value }) => !isTaken.has(value))
    .map((choice) => ({ choice, rank: rankOf(choice, wanted) }))
    .filter(({ rank }) => rank < noMatch)
    .sort((one, other) => one.rank - other.rank);
  return {
    shown: found.slice(0, shownMax).map(({ choice }) => choice),
    moreCount: Math.max(0, found.length - shownMax),
  };
}

const noMatch = 4;

/** Ranks a match, best first: at the start of the label, at the start of a word, inside the label, in the detail. */
function rankOf({ label, detail = '' }: PickerChoice, wanted: string): number {
  const text = foldText(label);
  if (text.startsWith(wanted)) return 0;
  if (text.includes(` ${wanted}`)) return 1;
  if (text.includes(wanted)) return 2;
  return foldText(detail).includes(wanted) ? 3 : noMatch;
}

interface Person {
  id: number;
  name: string;
  email: string;
  is_blocked: boolean;
}

export const listPersonChoices = (people: readonly Person[]): PickerChoice[] =>
  people.map(({ id, name, email, is_blocked }) => ({
    value: String(id),
    label: name,
    detail: email,
    note: is_blocked ? 'Blocked' : undefined,
  }));
