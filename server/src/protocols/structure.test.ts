import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Protocol } from './protocol.ts';
import { protocols } from './registry.ts';

const read = (folder: string) => readdirSync(join(import.meta.dirname, folder), { withFileTypes: true });
const namesOf = (entries: Dirent[]) => entries.map(({ name }) => name).sort();
const shared = new Set(['caller-request', 'canonical', 'json', 'testing', 'translation']);
const folders = namesOf(read('.').filter((entry) => entry.isDirectory() && !shared.has(entry.name)));
const parts = ['wire', 'request-encoder', 'response', 'errors', 'index'];

it('protocol registry matches the protocol folders', () => {
  expect(Object.keys(protocols).sort()).toEqual(folders);
});

describe.each(Object.entries(protocols))('protocol folder %s', (id, protocol: Protocol) => {
  const files = namesOf(read(id).filter((entry) => entry.isFile()));

  it('protocol id equals its folder name', () => {
    expect(protocol.id).toBe(id);
  });

  it.each(parts)('protocol folder contains %s.ts', (part) => {
    expect(files).toContain(`${part}.ts`);
  });

  it('protocol folder has stream.ts, or separate decoder and encoder files', () => {
    const split = protocol.caller ? ['stream-decoder.ts', 'stream-encoder.ts'] : ['stream-decoder.ts'];
    expect(files).toEqual(expect.arrayContaining(files.includes('stream.ts') ? ['stream.ts'] : split));
  });

  it('protocol folder contains fixtures', () => {
    expect(read(join(id, 'fixtures'))).not.toEqual([]);
  });
});
