import type { ServerResponse } from 'node:http';

const header = 'x-sluice-warning';
const lengthMax = 1_000;

/** What the caller is to know beside the answer, after what other stages have to tell. */
export function addWarnings(response: ServerResponse, warnings: readonly string[]): void {
  if (warnings.length === 0) return;
  const told = response.getHeader(header);
  const text = formatWarnings(warnings);
  response.setHeader(header, told === undefined ? text : `${told}, ${text}`);
}

/** What was left out of a request, as the one header `x-sluice-warning`: printable ASCII, and never long. */
function formatWarnings(warnings: readonly string[]): string {
  let text = '';
  for (const warning of warnings) {
    const item = warning.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(',', ';');
    const longer = text === '' ? item : `${text}, ${item}`;
    if (longer.length > lengthMax) return `${text.slice(0, lengthMax)}, ...`;
    text = longer;
  }
  return text;
}
