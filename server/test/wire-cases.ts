import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** A recorded exchange with a provider; the folder's README describes the format. */
export interface WireCase {
  readonly name: string;
  readonly provider: string;
  readonly endpoint: string;
  readonly features: readonly string[];
  readonly request: { readonly path: string; readonly body: unknown } | null;
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly sse?: readonly string[];
    readonly sse_eol?: string;
    readonly ndjson?: readonly unknown[];
  };
}

const given = process.env.SLUICE_WIRE_CASES;

/** Where the recorded cases lie: they are not part of the repository. */
export const wireCasesFolder = given
  ? pathToFileURL(`${given}/`)
  : new URL('../../../shared/data/wire/', import.meta.url);

/** All recorded cases of a provider, none where the folder is absent. */
export function readWireCases(provider: string): WireCase[] {
  return readCasesIn(new URL(`${provider}/`, wireCasesFolder));
}

/** The cases of one folder, such as a protocol's fixtures. */
export function readCasesIn(folder: URL): WireCase[] {
  if (!existsSync(folder)) return [];
  return (
    readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort()
      // safe because the folder documents this format and a test fails on any other
      .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as WireCase)
  );
}

/** A recorded stream as it came over the wire. */
export function writeSse({ sse = [], sse_eol }: WireCase['response']): Buffer {
  // The folder writes the line end out, backslashes and all.
  const lineEnd = sse_eol === undefined ? '\n' : '\r\n';
  return Buffer.from(sse.map((event) => `${event}\n\n`.replaceAll('\n', lineEnd)).join(''));
}

/** A recorded stream of JSON lines as it came over the wire. */
export function writeNdjson({ ndjson = [] }: WireCase['response']): Buffer {
  return Buffer.from(ndjson.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
