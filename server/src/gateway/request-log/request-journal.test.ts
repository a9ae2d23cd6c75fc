import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PromptPrivacy, promptPrivacyModes } from '@sluice/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProviderCall } from '#gateway/exchange.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { Journal } from '../journal/journal.ts';
import { createRequestJournal } from './request-journal.ts';
import type { RequestRecord } from './request-record.ts';
import { loggedTextBytes } from './truncate-for-log.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sluice-request-journal-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const address = 'mara.quist@example.com';
const call: ProviderCall = {
  ...{ instanceId: 1, instanceName: 'lab', providerKey: 'custom', model: 'm', startedMs: 1, durationMs: 2 },
  ...{ httpStatus: 400, errorCode: 'provider_rejected', cause: null, message: `I am ${address} too` },
};
const said = {
  ...{ prompt: `I am ${address}`, response: `Hello ${address}`, errorMessage: `refused: ${address}` },
  providerCalls: [call],
};

async function write(promptPrivacy: PromptPrivacy, record: RequestRecord): Promise<string> {
  const journal = new Journal({
    dir: await mkdtemp(join(dir, 'run-')),
    syncEveryBatch: false,
    onProblem: () => {},
  });
  const requests = createRequestJournal(journal, { clock: Date.now, promptPrivacyOf: () => promptPrivacy });
  await requests.admit(record);
  requests.settle(record);
  await requests.close();
  journal.close();
  const files = await readdir(dir, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'utf8'));
  return (await Promise.all(texts)).join('\n');
}

describe('journal privacy', () => {
  it.each(promptPrivacyModes)('journal files contain only what the mode "%s" allows', async (mode) => {
    const body = { messages: [{ role: 'user', content: said.prompt }] };
    const written = await write(mode, createRecord({ ...said, requestBody: JSON.stringify(body) }));
    expect(written.includes(address)).toBe(mode === 'full');
    expect(written.includes('[email]')).toBe(mode === 'redacted');
    expect(written.includes('I am')).toBe(mode !== 'metadata');
    expect(written).toContain(`"data":[1,"${mode}",`);
  });

  it('journal files contain no partial secret where a text was truncated', async () => {
    const key = `sk-${'Ab1Cd2Ef3Gh4Ij5Kl6Mn7'}`;
    for (const kept of [1, 4, 10, 20]) {
      const filler = 'word '.repeat(loggedTextBytes / 5 + 1).slice(0, loggedTextBytes - kept - 1);
      const prompt = `${filler} ${key.slice(0, kept)}`;
      expect(Buffer.byteLength(prompt)).toBe(loggedTextBytes);
      const written = await write('redacted', createRecord({ prompt }));
      expect(written).toContain('word word');
      expect(written).not.toContain(` ${key.slice(0, kept)}`);
    }
  });
});
