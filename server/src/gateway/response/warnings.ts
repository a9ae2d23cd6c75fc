const lengthMax = 1_000;

/** What was left out of a request, as the one header `x-sluice-warning`: printable ASCII, and never long. */
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
