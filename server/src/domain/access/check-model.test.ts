import { describe, expect, it } from 'vitest';
import { createModelDirectory, type ProviderInstance } from '../resolve-model.ts';
import { createBlock } from './blacklist.ts';
import { checkTenant, checkUser } from './check-caller.ts';
import { checkModel, type ModelRights } from './check-model.ts';

const instance = (id: number, given: Partial<ProviderInstance> = {}): ProviderInstance => ({
  id,
  tenantId: 1,
  name: `Instance ${id}`,
  providerKey: 'openai',
  endpoint: null,
  enabledModels: ['gpt-5', 'gpt-5-mini'],
  aliases: {},
  isDefault: false,
  isActive: true,
  maintenance: null,
  fallbackPosition: null,
  createdAtMs: id,
  ...given,
});

const block = (providerKey: string, modelPattern: string | null, reason = 'Policy violation') =>
  createBlock({ id: 1, providerKey, modelPattern, reason });

interface World extends Partial<Omit<ModelRights, 'directory' | 'listTeamGrants'>> {
  instances?: ProviderInstance[];
  teamGrants?: ReturnType<ModelRights['listTeamGrants']>;
}

const judge = (name: string, { instances = [instance(1)], teamGrants = [], ...given }: World = {}) =>
  checkModel(name, {
    role: 'user',
    blocks: [],
    grants: [],
    directory: createModelDirectory(instances),
    listTeamGrants: () => teamGrants,
    ...given,
  });
const grant = (instanceId: number, ...models: string[]) => ({ instanceId, models: new Set(models) });
const usableOf = (...parameters: Parameters<typeof judge>) =>
  judge(...parameters).usable.map(({ instance: { id }, model, teamId }) => [id, model, teamId]);
const refusalOf = (...parameters: Parameters<typeof judge>) => judge(...parameters).refusal;

const twoInstances = [instance(1), instance(2, { providerKey: 'azure_openai' })];
const everywhere = [grant(1, 'gpt-5'), grant(2, 'gpt-5')];

describe('checkModel grants', () => {
  it('checkModel requires a grant for users, but not for administrators', () => {
    expect(refusalOf('gpt-5')).toMatchObject({
      rule: 'grant',
      code: 'model_not_found',
      message: expect.stringContaining('has not been granted to you'),
    });
    for (const role of ['admin', 'super_admin'] as const) {
      expect(usableOf('gpt-5', { role })).toEqual([[1, 'gpt-5', null]]);
    }
  });

  it('checkModel applies a grant only to its models and instance', () => {
    const given = { instances: twoInstances, grants: [grant(2, 'gpt-5')] };
    expect(usableOf('gpt-5', given)).toEqual([[2, 'gpt-5', null]]);
    expect(usableOf('gpt-5-mini', given)).toEqual([]);
  });

  it('checkModel combines own and team grants, preferring the own grant, then the oldest team', () => {
    const teamGrants = [
      { teamId: 9, ...grant(1, 'gpt-5', 'gpt-5-mini') },
      { teamId: 7, ...grant(1, 'gpt-5-mini') },
      { teamId: 8, ...grant(2, 'gpt-5') },
    ];
    const given = { instances: twoInstances, grants: [grant(1, 'gpt-5')], teamGrants };
    expect(usableOf('gpt-5', given)).toEqual([
      [1, 'gpt-5', null],
      [2, 'gpt-5', 8],
    ]);
    expect(usableOf('gpt-5-mini', given)).toEqual([[1, 'gpt-5-mini', 7]]);
  });
});

describe('checkModel blacklist', () => {
  it('checkModel applies the blacklist to all roles and reports the reason', () => {
    for (const role of ['user', 'admin', 'super_admin'] as const) {
      expect(refusalOf('gpt-5', { role, blocks: [block('openai', 'gpt-5')], grants: everywhere })).toEqual({
        rule: 'blacklist',
        code: 'model_blacklisted',
        message: "The model 'gpt-5' is blacklisted: Policy violation. Ask your administrator.",
      });
    }
  });

  it.each([
    ['a whole provider', null, 'gpt-5'],
    ['the model of an alias', 'gpt-5', 'fast'],
    ['an alias itself', 'FAST', 'fast'],
    ['a model prefixed with its instance', 'GPT-5', 'instance 1/gpt-5'],
    ['a model prefixed with its provider', 'gpt*', 'OpenAI/gpt-5'],
    ['a name in its requested form', '*nstance 1/*', 'Instance 1/gpt-5'],
  ])('checkModel blocks %s regardless of case', (_, pattern, name) => {
    const instances = [instance(1, { aliases: { fast: 'gpt-5' } })];
    expect(refusalOf(name, { role: 'admin', instances, blocks: [block('OpenAI', pattern)] })?.code).toBe(
      'model_blacklisted',
    );
  });

  it('checkModel does not block other providers, models and names', () => {
    const blocks = [block('openai', 'gpt-5-*'), block('anthropic', null)];
    expect(usableOf('gpt-5', { role: 'admin', instances: twoInstances, blocks })).toHaveLength(2);
  });

  it('checkModel removes only the instances of a blocked provider', () => {
    const given = { role: 'admin', instances: twoInstances, blocks: [block('openai', null)] } as const;
    expect(usableOf('gpt-5', given)).toEqual([[2, 'gpt-5', null]]);
  });

  it('checkModel reports a block that conflicts with a grant, and the missing grant otherwise', () => {
    const given = { instances: twoInstances, blocks: [block('openai', null)] };
    expect(refusalOf('gpt-5', { ...given, grants: [grant(1, 'gpt-5')] })?.rule).toBe('blacklist');
    expect(refusalOf('gpt-5', given)?.rule).toBe('grant');
  });

  it('checkModel blocks the whole provider if a pattern is invalid', () => {
    expect(refusalOf('gpt-5', { role: 'admin', blocks: [block('openai', '{')] })?.rule).toBe('blacklist');
  });
});

it('checkModel rejects a model that no active instance offers', () => {
  for (const instances of [[], [instance(1, { isActive: false })]]) {
    expect(refusalOf('gpt-5', { role: 'admin', instances })).toMatchObject({
      rule: 'model',
      code: 'model_not_found',
      message: expect.stringContaining('does not exist or is not enabled here'),
    });
  }
});

it('checkUser and checkTenant reject blocked or inactive users and suspended or unknown tenants', () => {
  expect(checkUser({ isActive: true, blockedReason: null })).toBeNull();
  expect(checkUser({ isActive: false, blockedReason: 'x' })?.code).toBe('account_blocked');
  expect(checkUser({ isActive: true, blockedReason: 'spam' })).toMatchObject({
    code: 'account_blocked',
    message: expect.stringContaining('spam'),
  });
  expect(checkUser({ isActive: true, blockedReason: '' })?.message).toContain('no reason was given');
  const check = (status: 'trial' | 'active' | 'suspended', suspensionReason: string | null = null) =>
    checkTenant({ status, suspensionReason });
  expect([check('active'), check('trial')]).toEqual([null, null]);
  expect([check('suspended')?.code, checkTenant(undefined)?.code]).toEqual([
    'tenant_suspended',
    'tenant_suspended',
  ]);
  expect(check('suspended', 'The invoice is overdue. ')?.message).toBe(
    'Your organization is suspended: The invoice is overdue. An administrator can pay its bill in the console.',
  );
});
