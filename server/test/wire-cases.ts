import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** An exchange with a provider as it went over the wire: recorded, or one of our own in the same format. */
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

const recordedFolder = given
  ? pathToFileURL(`${given}/`)
  : new URL('../../../shared/data/wire/', import.meta.url);

const protocolsFolder = new URL('../src/protocols/', import.meta.url);

/** Our own cases, by the folder of their protocol. They have every shape that the recorded ones have. */
export const ownCases: ReadonlyMap<string, readonly WireCase[]> = new Map(
  readdirSync(protocolsFolder)
    .filter((name) => existsSync(new URL(`${name}/fixtures/`, protocolsFolder)))
    .map((name) => [name, readCasesIn(new URL(`${name}/fixtures/`, protocolsFolder))]),
);

/** The providers of which there are recorded cases, which are not part of the repository. */
export const recordedProviders: readonly string[] = existsSync(recordedFolder)
  ? readdirSync(recordedFolder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  : [];

// Once in each file of tests, since each loads this module anew.
if (recordedProviders.length === 0) {
  const count = [...ownCases.values()].flat().length;
  console.warn(
    `Skipped: the recorded cases are not at ${recordedFolder.pathname} (SLUICE_WIRE_CASES names another folder). ` +
      `The ${count} cases of our own, which have the same shapes, are tested alone.`,
  );
}

/** All cases of a provider: our own, and the recorded ones where they are at hand. */
export function readWireCases(provider: string): WireCase[] {
  const own = [...ownCases.values()].flat().filter((one) => one.provider === provider);
  return [...own, ...readRecordedCases(provider)];
}

export function readRecordedCases(provider: string): WireCase[] {
  const folder = new URL(`${provider}/`, recordedFolder);
  return existsSync(folder) ? readCasesIn(folder) : [];
}

function readCasesIn(folder: URL): WireCase[] {
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
