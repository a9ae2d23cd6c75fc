const collator = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' });

/** Smaller numbers and earlier texts first; `gpt-9` before `gpt-10`. */
export function compareValues(left: unknown, right: unknown): number {
  return typeof left === 'number' && typeof right === 'number'
    ? left - right
    : collator.compare(String(left), String(right));
}
