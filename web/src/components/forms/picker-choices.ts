import { foldText } from '@sluice/contract';

/** Something that a picker offers. */
export interface PickerChoice {
  value: string;
  label: string;
  /** Distinguishes choices with the same name, such as an e-mail address. It is searched too. */
  detail?: string;
  /** Warning next to the name: `Blocked`. */
  note?: string | undefined;
  /** Listed but not to be had; the note says why. */
  isDisabled?: boolean | undefined;
}

/** Where a picker's choices come from; they may be fetched when its list first opens. */
export interface PickerSource {
  /** `undefined` until they are there. */
  choices: readonly PickerChoice[] | undefined;
  /** Why they are not there; the list then offers to try again. */
  problem?: string | undefined;
  onOpen?: () => void;
  onRetry?: () => void;
}

interface ChoicesSearch {
  text: string;
  /** Values that are not offered. */
  taken: readonly string[];
  shownMax: number;
}

/** The best choices for a text, without those taken, and how many more there are. */
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

/** The start of the label counts more than that of a word in it, that more than its inside, that more than the detail. */
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

/** People by name and address; who is blocked is marked. */
export const listPersonChoices = (people: readonly Person[]): PickerChoice[] =>
  people.map(({ id, name, email, is_blocked }) => ({
    value: String(id),
    label: name,
    detail: email,
    note: is_blocked ? 'Blocked' : undefined,
  }));
