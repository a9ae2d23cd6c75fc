import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Recorded traffic of providers, kept beside the project; its own README describes it. */
const folder = join(import.meta.dirname, '../../../shared/data/wire');

export interface WireCase {
  name: string;
  provider: string;
  features: string[];
  request: { body: Record<string, unknown> | null } | null;
  response: { status: number; body?: unknown; sse?: string[] };
}

/** The cases of some providers at one endpoint; none, with a word of why, where the recordings are not at hand. */
export function readWireCases(endpoint: string, providers: readonly string[]): WireCase[] {
  const index = join(folder, 'index.json');
  if (!existsSync(index)) {
    console.warn(`The recorded cases are not at hand (${folder}), so they are not tested.`);
    return [];
  }
  // safe because the recordings keep to the format of their README
  const entries = JSON.parse(readFileSync(index, 'utf8')) as {
    file: string;
    provider: string;
    endpoint: string;
  }[];
  return entries
    .filter((entry) => entry.endpoint === endpoint && providers.includes(entry.provider))
    .map(({ file }) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
}
