import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Exchange with a provider in its wire format. Recorded, or our own in the same format. */
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
  : new URL('../../../../shared/data/wire/', import.meta.url);

const protocolsFolder = new URL('../../src/protocols/', import.meta.url);

/** Our own cases by protocol folder. They cover all shapes of the recorded cases. */
export const ownCases: ReadonlyMap<string, readonly WireCase[]> = new Map(
  readdirSync(protocolsFolder)
    .filter((name) => existsSync(new URL(`${name}/fixtures/`, protocolsFolder)))
    .map((name) => [name, readCasesIn(new URL(`${name}/fixtures/`, protocolsFolder))]),
);

/** Providers with recorded cases. The recordings are not in the repository. */
export const recordedProviders: readonly string[] = existsSync(recordedFolder)
  ? readdirSync(recordedFolder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  : [];

/** Returns our own cases, and recorded cases if available. */
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
      // safe because the folder documents this format and a test fails for any other
      .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as WireCase)
  );
}

export function writeSse({ sse = [], sse_eol }: WireCase['response']): Buffer {
  // `sse_eol` is only set for CRLF, as escaped text.
  const lineEnd = sse_eol === undefined ? '\n' : '\r\n';
  return Buffer.from(sse.map((event) => `${event}\n\n`.replaceAll('\n', lineEnd)).join(''));
}

export function writeNdjson({ ndjson = [] }: WireCase['response']): Buffer {
  return Buffer.from(ndjson.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
