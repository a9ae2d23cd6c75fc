import { describe, expect, it } from 'vitest';
import { createBlock } from './blacklist.ts';
import type { LimitStanding } from './check-caller.ts';
import { type AccessQuestion, type ExplainedInstance, explainAccess } from './explain-access.ts';

const instance = (id: number, given: Partial<ExplainedInstance> = {}): ExplainedInstance => ({
  id,
  tenantId: 1,
  name: `Instance ${id}`,
  providerKey: 'openai',
  endpoint: null,
  enabledModels: ['gpt-5'],
  aliases: { fast: 'gpt-5' },
  isDefault: false,
  isActive: given.inactiveReason === undefined,
  inactiveReason: null,
  maintenance: null,
  fallbackPosition: null,
  createdAtMs: id,
  ...given,
});
const rights: AccessQuestion['rights'] = {
  role: 'user',
  blocks: [],
  grants: [{ instanceId: 1, models: new Set(['gpt-5']) }],
  listTeamGrants: () => [],
};
const question: AccessQuestion = {
  model: 'gpt-5',
  person: { name: 'Mara', isActive: true, blockedReason: null },
  tenant: { name: 'One', status: 'active', suspensionReason: null },
  tasks: [{ id: 1, isApiAccess: true, title: 'API' }],
  taskId: null,
  instances: [instance(1)],
  rights,
  teamNames: new Map([[7, 'Red']]),
  limitsOf: () => [{ kind: 'requests_per_hour', limit: 100, left: 97 }],
  cooldownMsOf: () => null,
  nowMs: 1_000_000,
};
const explain = (given: Partial<AccessQuestion> = {}) => explainAccess({ ...question, ...given });
const detailOf = (name: string, given: Partial<AccessQuestion> = {}) =>
  explain(given).rules.find((rule) => rule.name === name)?.detail;

it('explainAccess reports the result of each rule in the order of the gateway', () => {
  expect(explain()).toEqual({
    is_allowed: true,
    error_code: null,
    rules: [
      ['user', 'Mara is active.'],
      ['task', "The request is assigned to the API access task 'API'."],
      ['tenant', 'One is active.'],
      ['model', "'Instance 1' offers 'gpt-5'."],
      ['blacklist', 'No blacklist entry matches.'],
      ['grant', "Granted: 'Instance 1' by a direct grant."],
      ['limits', '97 of 100 requests this hour left.'],
      ['provider', "'Instance 1' (openai) is called first: it is active and its key can be decrypted."],
    ].map(([name, detail]) => ({ name, outcome: 'passes', detail })),
  });
});

it('explainAccess skips the rules after a rejection', () => {
  const { rules, error_code } = explain({
    tenant: { name: 'One', status: 'suspended', suspensionReason: null },
    model: 'nothing',
  });
  expect(error_code).toBe('tenant_suspended');
  expect(rules.map(({ outcome }) => outcome)).toEqual([
    'passes',
    'passes',
    'refuses',
    ...Array.from({ length: 5 }, () => 'not_asked'),
  ]);
});

describe('explainAccess details', () => {
  const reasons: readonly [
    rule: string,
    given: Partial<AccessQuestion>,
    sentence: string,
    code: string | null,
  ][] = [
    [
      'user',
      { person: { name: 'Mara', isActive: true, blockedReason: 'spam' } },
      'Mara is blocked: spam.',
      'account_blocked',
    ],
    ['task', { tasks: [] }, 'Mara has no active task.', 'task_required'],
    [
      'task',
      { tasks: [1, 2].map((id) => ({ id, isApiAccess: false, title: `T${id}` })) },
      'Mara has 2 active tasks and no API access task: requests that do not name a task are refused.',
      'task_required',
    ],
    ['task', { tasks: [], rights: { ...rights, role: 'admin' } }, 'The role admin needs no task.', null],
    ['model', { model: 'fast' }, "'Instance 1' offers 'fast', which is an alias of 'gpt-5'.", null],
    [
      'model',
      { instances: [instance(1, { inactiveReason: 'is disabled' })] },
      "No active provider offers 'gpt-5'. 'Instance 1' would, but is disabled.",
      'model_not_found',
    ],
    ['model', { model: 'nothing' }, "No active provider offers 'nothing'.", 'model_not_found'],
    [
      'blacklist',
      {
        rights: {
          ...rights,
          blocks: [
            createBlock({ id: 4, providerKey: 'openai', modelPattern: 'gpt*', reason: 'Data privacy' }),
          ],
        },
      },
      "'gpt-5' at 'Instance 1' is blocked by the blacklist (Data privacy).",
      'model_blacklisted',
    ],
    [
      'grant',
      { rights: { ...rights, grants: [] } },
      "Neither Mara nor an active team of theirs is granted 'gpt-5' at 'Instance 1'.",
      'model_not_found',
    ],
    [
      'grant',
      {
        rights: {
          ...rights,
          grants: [],
          listTeamGrants: () => [{ teamId: 7, instanceId: 1, models: new Set(['gpt-5']) }],
        },
      },
      "Granted: 'Instance 1' by the team 'Red'.",
      null,
    ],
    ['grant', { rights: { ...rights, role: 'super_admin' } }, 'The role super_admin needs no grant.', null],
    [
      'provider',
      { instances: [instance(1), instance(2)], rights: { ...rights, role: 'admin' } },
      "'Instance 1' (openai) is called first: it is active and its key can be decrypted. If it fails, the fallback is 'Instance 2'.",
      null,
    ],
    [
      'provider',
      {
        instances: [instance(1), instance(2)],
        rights: { ...rights, role: 'admin' },
        cooldownMsOf: ({ instance: { id } }) => (id === 1 ? 3_200 : null),
      },
      "'Instance 1' has failed too often and is in cooldown for 4 s. 'Instance 2' (openai) is called first: it is active and its key can be decrypted.",
      null,
    ],
    [
      'provider',
      { cooldownMsOf: () => 900 },
      "'Instance 1' has failed too often and is in cooldown for 1 s.",
      'upstream_unavailable',
    ],
    [
      'provider',
      {
        instances: [{ ...instance(1), maintenance: { untilMs: null, reason: null } }, instance(2)],
        rights: { ...rights, role: 'admin' },
      },
      "'Instance 1' is in maintenance. 'Instance 2' (openai) is called first: it is active and its key can be decrypted.",
      null,
    ],
    [
      'provider',
      { instances: [{ ...instance(1), maintenance: { untilMs: 1_000_001, reason: null } }] },
      "'Instance 1' is in maintenance.",
      'provider_in_maintenance',
    ],
    [
      'provider',
      { instances: [{ ...instance(1), maintenance: { untilMs: 1_000_000, reason: null } }] },
      "'Instance 1' (openai) is called first: it is active and its key can be decrypted.",
      null,
    ],
    ['task', { taskId: 1 }, "The request is assigned to the task 'API'.", null],
    ['task', { taskId: 2 }, 'Task 2 is not an active task of Mara.', 'task_not_found'],
  ];
  it.each(reasons.map(([rule, given, sentence, code]) => [rule, sentence, given, code] as const))(
    'explainAccess states the reason for the rule %s: %s',
    (rule, sentence, given, code) => {
      expect(detailOf(rule, given)).toBe(sentence);
      expect(explain(given).error_code).toBe(code);
    },
  );

  it.each<[standing: LimitStanding, sentence: string, code: string | null]>([
    [{ kind: 'tokens_per_day', limit: null, left: null }, 'Unlimited tokens today.', null],
    [
      { kind: 'tokens_per_day', limit: 30_000, left: 0 },
      '0 of 30,000 tokens today left.',
      'tokens_per_day_exceeded',
    ],
    [
      { kind: 'tokens_per_month', limit: 10, left: -5 },
      '0 of 10 tokens this month left.',
      'tokens_per_month_exceeded',
    ],
    [{ kind: 'task_tokens', limit: 0, left: 0 }, '0 of 0 tokens of the task left.', 'task_tokens_exceeded'],
    [{ kind: 'credits', limit: 12.5e9, left: 12.5e9 }, '$12.50 of credits left.', null],
    [{ kind: 'credits', limit: -1e9, left: -1e9 }, '-$1.00 of credits left.', 'insufficient_credits'],
    [
      { kind: 'credits', limit: null, left: null, shutReason: 'Spending credits is switched off' },
      'Spending credits is switched off.',
      'insufficient_credits',
    ],
  ])('explainAccess states the remaining amount of limit %j', (standing, sentence, code) => {
    const given = { limitsOf: () => [standing] };
    expect(detailOf('limits', given)).toBe(sentence);
    expect(explain(given).error_code).toBe(code);
  });
});
