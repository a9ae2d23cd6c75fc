import { createApiKeyBody } from '@sluice/contract';
import { createUserApiKey } from '#console/api-keys/issue.ts';
import { revokeApiKeysOfUser } from '#console/api-keys/revoke.ts';
import { type Command, formatTable, operandOf, textOption, UsageError } from '../command.ts';
import { asOperator } from '../operator.ts';
import { selectValidKeys } from '../store.ts';

export const listKeys: Command = {
  name: 'keys list',
  summary: 'Lists the valid API keys, without their secrets',
  options: { tenant: { value: 'SLUG', summary: 'only of this tenant' } },
  async run(call) {
    const keys = await asOperator(call.config, ({ system }) =>
      selectValidKeys(system, textOption(call, 'tenant')),
    );
    const rows = keys.map((key) => [
      key.id,
      key.email,
      key.name,
      key.tenant,
      `...${key.last4}`,
      key.scopes.join(','),
      key.expires_at,
      key.last_used_at,
    ]);
    const columns = ['id', 'email', 'name', 'tenant', 'key', 'scopes', 'expires', 'last used'];
    return { json: keys, text: formatTable(columns, rows) };
  },
};

export const createKey: Command = {
  name: 'keys create',
  operands: ['EMAIL'],
  summary: 'Creates an API key for a user who does not have one, and prints it once',
  options: {
    scopes: { value: 'LIST', summary: 'comma-separated list of completions,embeddings,models; default: all' },
    'expires-at': { value: 'TIME', summary: 'such as 2030-01-31T00:00:00Z; default: never' },
  },
  async run(call) {
    const scopes = textOption(call, 'scopes')?.split(',');
    const expires_at = textOption(call, 'expires-at');
    const { data, error } = createApiKeyBody.safeParse({
      ...(scopes && { scopes }),
      ...(expires_at && { expires_at }),
    });
    if (!data) throw new UsageError(error.issues.map(({ message }) => message).join('\n'));
    const answer = await asOperator(call.config, async ({ requirePerson, inTenant, openKeyring }) => {
      const { id, tenantId } = await requirePerson(operandOf(call, 'EMAIL'));
      const keyring = await openKeyring();
      return inTenant(tenantId, 'createUserApiKey', (tx, author) =>
        createUserApiKey(keyring, tx, author, { userId: id, key: data }),
      );
    });
    return { json: answer, text: answer.api_key };
  },
};

export const revokeKey: Command = {
  name: 'keys revoke',
  operands: ['EMAIL'],
  summary: 'Revokes all API keys of a user, on every node within a second',
  async run(call) {
    const email = operandOf(call, 'EMAIL');
    const status = await asOperator(call.config, async ({ requirePerson, inTenant }) => {
      const { id, tenantId } = await requirePerson(email);
      return inTenant(tenantId, 'revokeUserApiKey', (tx, author) => revokeApiKeysOfUser(tx, author, id));
    });
    return { json: status, text: `The API keys of ${email} are revoked.` };
  },
};
