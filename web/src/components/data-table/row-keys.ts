const steps: Record<string, (from: number, last: number, page: number) => number> = {
  ArrowDown: (from) => from + 1,
  j: (from) => from + 1,
  ArrowUp: (from) => from - 1,
  k: (from) => from - 1,
  PageDown: (from, _last, page) => from + page,
  PageUp: (from, _last, page) => from - page,
  Home: () => 0,
  End: (_from, last) => last,
};

/** Returns the index of the row that a key moves to, or `null` for keys that do not move. */
export function findTargetRow(key: string, from: number, rowCount: number, pageRows: number): number | null {
  const step = steps[key];
  if (step === undefined || rowCount === 0) return null;
  return Math.min(Math.max(step(from, rowCount - 1, pageRows), 0), rowCount - 1);
}

const typedInto =
  'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="menu"], [role="listbox"], [aria-modal="true"]';

/**
 * Whether a key press is a shortcut of the list. `false` while the user types and while single-key shortcuts are off.
 */
export function isKeyForList(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key.length === 1 && localStorage.getItem('sluice-single-keys') === 'off') return false;
  return !(event.target instanceof Element && event.target.closest(typedInto));
}
