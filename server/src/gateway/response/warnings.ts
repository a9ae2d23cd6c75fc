const lengthMax = 1_000;

/** Formats what was removed from a request for `x-sluice-warning`: printable ASCII of limited length. */
export function formatWarnings(warnings: readonly string[]): string {
  let text = '';
  for (const warning of warnings) {
    const item = warning.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(',', ';');
    const longer = text === '' ? item : `${text}, ${item}`;
    if (longer.length > lengthMax) return `${text.slice(0, lengthMax)}, ...`;
    text = longer;
  }
  return text;
}
