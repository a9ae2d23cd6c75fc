import { foldText } from '@sluice/contract';

/** An option of a picker. */
export interface PickerChoice {
  value: string;
  label: string;
  /** Distinguishes choices with the same name, such as an email address; also searched. */
  detail?: string;
  /** Warning next to the name: `Blocked`. */
  note?: string | undefined;
  /** Whether the option is listed but disabled; the note says why. */
  isDisabled?: boolean | undefined;
}

/** Options of a picker, which may be fetched when its list first opens. */
export interface PickerSource {
  /** `undefined` while they load. */
  choices: readonly PickerChoice[] | undefined;
  /** Why they could not be loaded; the list then offers a retry. */
  problem?: string | undefined;
  onOpen?: () => void;
  onRetry?: () => void;
}

interface ChoicesSearch {
  text: string;
  /** Values to exclude. */
  taken: readonly string[];
  shownMax: number;
}

/** Returns the best matches for a text, and how many more there are. */
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

/** Ranks matches: start of the label, start of a word in it, inside it, then the detail. */
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

/** Options for users by name and email; blocked users are marked. */
export const listPersonChoices = (people: readonly Person[]): PickerChoice[] =>
  people.map(({ id, name, email, is_blocked }) => ({
    value: String(id),
    label: name,
    detail: email,
    note: is_blocked ? 'Blocked' : undefined,
  }));
