import type { litellmRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { answer, outside, read, TextBody, write } from '#http/verbs.ts';
import { blockKey, deleteKeys, generateKey, getKey, type LitellmKeyring, updateKey } from './keys.ts';
import { getSpendReport, listLitellmModels } from './reports.ts';
import { createLitellmTeam, getLitellmTeam } from './teams.ts';
import { createLitellmUser, getLitellmUser } from './users.ts';

/** LiteLLM returns this text as a JSON string. */
const alive = new TextBody('application/json; charset=utf-8', JSON.stringify("I'm alive!"));

export function createLitellmHandlers({
  keyring,
}: {
  readonly keyring: LitellmKeyring;
}): Handlers<typeof litellmRoutes> {
  return {
    generateLitellmKey: write(generateKey.bind(null, keyring), ({ body }) => body),
    getLitellmKey: read(getKey.bind(null, keyring), ({ query }) => query),
    updateLitellmKey: write(updateKey.bind(null, keyring), ({ body }) => body),
    deleteLitellmKeys: write(deleteKeys.bind(null, keyring), ({ body }) => body),
    blockLitellmKey: write(blockKey.bind(null, keyring), ({ body }) => body),
    createLitellmUser: write(createLitellmUser.bind(null, keyring), ({ body }) => body),
    getLitellmUser: read(getLitellmUser, ({ query }) => query),
    createLitellmTeam: write(createLitellmTeam, ({ body }) => body),
    getLitellmTeam: read(getLitellmTeam, ({ query }) => query),
    listLitellmModels: read(listLitellmModels),
    getLitellmSpendReport: read(getSpendReport.bind(null, keyring), ({ query }) => ({ query })),
    getLitellmLiveness: outside('needs no transaction', async (ctx) => answer(ctx, alive)),
  };
}
