import { contract, type FieldProblem, managementError, type RouteRow } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConsoleError } from '#errors/console-error.ts';
import { validateInput } from './validate-input.ts';

const rows = Object.values<Record<string, RouteRow>>(contract)
  .flatMap((routes) => Object.entries(routes))
  .filter(([, row]) => row.surface === 'management');
const places = ['body', 'form', 'query'] as const;
type Place = (typeof places)[number];

const fields = rows.flatMap(([rowName, row]) =>
  places.flatMap((place) => {
    const schema = row.request?.[place];
    return schema ? listFields(schema).map((field) => ({ rowName, row, place, field })) : [];
  }),
);

function listFields(schema: z.ZodType): string[] {
  type Described = Pick<z.core.JSONSchema.BaseSchema, 'properties' | 'anyOf' | 'oneOf'>;
  const list = ({ properties = {}, anyOf = [], oneOf = [] }: Described): string[] => [
    ...Object.keys(properties),
    ...[...anyOf, ...oneOf].flatMap((part) => list(part)),
  ];
  return [...new Set(list(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })))];
}

function findProblems(row: RouteRow, place: Place, value: unknown): FieldProblem[] {
  const request = { ...row.request, params: z.object({}) };
  const part = place === 'form' ? 'body' : place;
  try {
    validateInput({ ...row, request }, { params: {}, query: {}, body: {}, [part]: value });
  } catch (error) {
    if (!(error instanceof ConsoleError)) throw error;
    const { detail } = managementError.strict().parse({ detail: error.detail });
    if (typeof detail === 'string') throw error;
    return detail.filter(({ loc }) => loc[0] === part);
  }
  return [];
}

/** Default messages of the schema library, which do not name the field. */
const rawWords =
  /^Invalid|expected|received|Too (big|small)|Unrecognized|undefined|NaN|\[object|of another type|(is not valid$)/;

const ownWords =
  /^(Please |Only monthly billing |A (reason|message|note|prompt|model name)|Choose at least one scope|Display name is |Both provider key|Provider key and|At (least|most) )|^(Instance name|Provider type|Provider key|Role selection|Team name|Per-request limit|Markup|Email|Password|Log rows|Prompts and answers|Usage figures|Longest answer|(Connect|First byte|Idle|Total|Stream total) timeout) /;

const wrongValues: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'a number': 5.5,
  'a huge number': 1e300,
  'a text': 'x',
  'a huge text': 'x'.repeat(200_000),
  'an empty text': '',
  blanks: '   ',
  'a list': [],
  'a list of anything': [{}, 1, null, ''],
  'an object': {},
  'an object of anything': { '': 1, a: null },
  true: true,
};

describe('field problems of a row', () => {
  it.each(fields)(
    'the problem of $field in the $place of $rowName is plain text that names the field',
    (subject) => {
      const { row, place, field } = subject;
      for (const [kind, value] of Object.entries(wrongValues)) {
        const problems = findProblems(row, place, value === undefined ? {} : { [field]: value });
        for (const { loc, msg } of problems.filter(({ loc }) => loc[1] === field)) {
          expect(msg, kind).not.toMatch(rawWords);
          expect(msg).not.toMatch(/\b[Aa]pi\b/);
          const names = [field, field.replaceAll('_', ' ')];
          const isNamed = ownWords.test(msg) || names.some((name) => msg.toLowerCase().includes(name));
          if (loc.length === 2) expect(isNamed, `${kind}: ${msg}`).toBe(true);
        }
      }
    },
  );

  it.each(rows.filter(([, { request }]) => request?.body))(
    'the problem of %s without a body is plain text',
    (_name, row) => {
      for (const body of [undefined, null, [], 'x', 5, true]) {
        for (const { msg } of findProblems(row, 'body', body)) expect(msg).not.toMatch(rawWords);
      }
    },
  );

  const { createTask, createTaskAssignment } = contract.tasks;
  const { createUser, changeUserPassword, blockUser } = contract.users;
  const { createTeam, addTeamMember } = contract.teams;
  const { grantUserAccess, grantTeamAccess } = contract.providerAccess;
  const { addBlacklistEntry, checkBlacklist } = contract.blacklist;
  const { login } = contract.auth;
  const { createInvitation, acceptInvitation } = contract.invitations;
  const { checkCredits, rechargeCredits, refundTenantOfUser } = contract.credits;
  const taskBody = { title: 'Write the parser', description: 'A parser for the new format' };
  const missing: [RouteRow, Place, Record<string, unknown>, Record<string, string>][] = [
    [login, 'form', {}, { username: 'Email is required', password: 'Password is required' }],
    [
      createUser,
      'body',
      {},
      {
        email: 'Email is required',
        name: 'Name is required',
        password: 'Password is required',
        role_id: 'Role selection is required',
      },
    ],
    [changeUserPassword, 'body', {}, { password: 'Password is required' }],
    [blockUser, 'query', {}, { reason: 'A reason is required' }],
    [createInvitation, 'body', {}, { email: 'Email is required', role: 'Role selection is required' }],
    [
      acceptInvitation,
      'body',
      {},
      { name: 'Please enter your full name', password: 'Password must be at least 6 characters long' },
    ],
    [createTask, 'body', {}, { title: 'Title is required', description: 'Description is required' }],
    [createTask, 'body', { is_dummy_task: true }, { user_id: 'Please select a user for API access' }],
    [createTaskAssignment, 'body', {}, { user_id: 'Please select a user' }],
    [createTeam, 'body', {}, { name: 'Team name is required' }],
    [addTeamMember, 'body', {}, { user_id: 'Please select at least one user to add.' }],
    [
      grantUserAccess,
      'body',
      {},
      {
        user_id: 'Please select a user',
        llm_provider_id: 'Please select a provider',
        allowed_models: 'Please select at least one model',
      },
    ],
    [grantTeamAccess, 'body', {}, { team_id: 'Please select a team' }],
    [addBlacklistEntry, 'body', {}, { reason: 'Provider key and reason are required' }],
    [checkBlacklist, 'body', {}, { model_name: 'Both provider key and model name are required' }],
    [
      rechargeCredits,
      'body',
      {},
      { amount: 'Please enter a valid amount greater than 0', description: 'A reason is required' },
    ],
    [refundTenantOfUser, 'query', {}, { amount: 'Please enter a valid amount greater than 0' }],
    [checkCredits, 'query', {}, { amount: 'Amount is required' }],
  ];

  it.each(missing)(
    "the problem of a field is the form's text if it is absent, null or empty (%#)",
    (row, place, base, texts) => {
      for (const [field, text] of Object.entries(texts)) {
        for (const value of [undefined, null, '']) {
          const input = value === undefined ? base : { ...base, [field]: value };
          const told = findProblems(row, place, input).filter(({ loc }) => loc[1] === field);
          expect(
            told.map(({ msg }) => msg),
            `${field} ${value}`,
          ).toEqual([text]);
        }
      }
    },
  );

  it('problems are limited to 100 for a body full of errors', () => {
    const unknown = Object.fromEntries(Array.from({ length: 110_000 }, (_, index) => [`x${index}`, 1]));
    expect(findProblems(createTask, 'body', unknown)).toHaveLength(100);
    const faults = { enabled_models: new Array(1_000).fill(1) };
    expect(findProblems(contract.llmProviders.createLlmProvider, 'body', faults)).toHaveLength(100);
  });

  it('problems have a readable type', () => {
    const told = findProblems(createTaskAssignment, 'body', { user_id: true, task_id: 1, progress_notes: 5 });
    expect(told.map(({ type }) => type)).toEqual(['invalid_type', 'invalid_type']);
    const limits = { ...taskBody, token_limit: 1_000, max_tokens_per_request: 2_000 };
    expect(findProblems(createTask, 'body', limits)).toMatchObject([{ type: 'value_error' }]);
  });

  it('problems are reported once per field, and once per unknown field', () => {
    const told = findProblems(createTask, 'body', { title: '', description: 'short', a: 1, b: 2 });
    expect(told.map(({ loc, msg }) => [loc.slice(1).join('.'), msg])).toEqual([
      ['title', 'Title is required'],
      ['description', 'Description must be at least 10 characters'],
      ['a', 'Unknown field: a'],
      ['b', 'Unknown field: b'],
    ]);
  });

  it.each([
    [{ estimated_hours: 0.7 }, 'Estimated hours must be a multiple of 0.5'],
    [{ estimated_hours: 0.2 }, 'Estimated hours must be at least 0.5'],
    [{ token_limit: 1_500 }, 'Token limit must be a multiple of 1,000'],
    [{ token_limit: 500 }, 'Token limit must be at least 1,000'],
  ])('the problem of %j in a task is "%s"', (body, problem) => {
    for (const row of [createTask, contract.tasks.updateTask]) {
      const [field] = Object.keys(body);
      const told = findProblems(row, 'body', body).filter(({ loc }) => loc[1] === field);
      expect(told.map(({ msg }) => msg)).toEqual([problem]);
    }
  });
});

it('null is accepted for optional fields that may be null or absent', () => {
  const { addBlacklistEntry } = contract.blacklist;
  const entry = { provider_key: 'openai', reason: 'x', model_pattern: null, description: null };
  expect(findProblems(addBlacklistEntry, 'body', entry)).toEqual([]);
  const provider = { provider_registry_id: 1, provider_instance_name: 'x', enabled_models: [] };
  const nothing = { api_endpoint: null, default_model: null };
  expect(findProblems(contract.llmProviders.createLlmProvider, 'body', { ...provider, ...nothing })).toEqual(
    [],
  );
  expect(
    findProblems(contract.llmProviders.testLlmProvider, 'body', { provider_registry_id: 1, ...nothing }),
  ).toMatchObject([{ msg: 'Unknown field: default_model' }]);
  const assignment = { task_id: 1, user_id: 1, progress_notes: null };
  expect(findProblems(contract.tasks.createTaskAssignment, 'body', assignment)).toEqual([]);
});

describe('empty optional parameters', () => {
  const optional = fields.filter(
    ({ row, place, field }) =>
      place === 'query' && z.safeParse(row.request?.query?.shape[field] ?? z.never(), undefined).success,
  );

  it.each(optional)('the empty parameter $field of $rowName is treated as absent', ({ row, field }) => {
    expect(findProblems(row, 'query', { [field]: '' }).filter(({ loc }) => loc[1] === field)).toEqual([]);
  });

  it('empty page parameters use the defaults', () => {
    const query = { status: '', search: '', user_id: '', skip: '', limit: '', start_date: '' };
    const input = validateInput(contract.logs.listLogs, { params: {}, query, body: undefined });
    expect(input.query).toEqual({ skip: 0, limit: 100 });
  });

  it('an empty parameter is rejected if it is unknown or required', () => {
    const told = findProblems(contract.users.blockUser, 'query', { reason: '', order: '' });
    expect(told.map(({ msg }) => msg)).toEqual(['A reason is required', 'Unknown field: order']);
  });
});
