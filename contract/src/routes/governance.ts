import { z } from 'zod';
import { whenAbsent } from '../describe-field-problem.ts';
import { id, idParams, instant, requestId } from '../ids.ts';
import { pageBefore, pageQuery } from '../pagination.ts';
import { defineRoutes } from '../route.ts';
import { descriptionMax, taskCategories, titleMax } from './tasks.ts';

export const intentNames = ['coding', 'testing', 'documentation', 'research', 'off_topic', 'other'] as const;

export type IntentName = (typeof intentNames)[number];

/** Listed in display order. */
export const deviationSignals = ['off_topic', 'category', 'wording', 'burst', 'refusals'] as const;

export type DeviationSignal = (typeof deviationSignals)[number];

/** `monitor` only records scores. `warn` adds a warning to responses if the score is elevated. `block` also blocks users. */
export const deviationModes = ['monitor', 'warn', 'block'] as const;

const weight = z.number().min(0, 'A weight must be at least 0').max(2, 'A weight must be at most 2');
const threshold = z.number().gt(0, 'A threshold must be above 0').max(1, 'A threshold must be at most 1');

export const deviationPolicy = z.strictObject({
  mode: z.enum(deviationModes),
  weights: z.strictObject({
    off_topic: weight,
    category: weight,
    wording: weight,
    burst: weight,
    refusals: weight,
  }),
  thresholds: z
    .strictObject({ elevated: threshold, high: threshold, block: threshold })
    .refine(({ elevated, high }) => elevated < high, {
      path: ['high'],
      message: 'The high threshold must be above the elevated threshold',
    })
    .refine(({ high, block }) => high < block, {
      path: ['block'],
      message: 'The block threshold must be above the high threshold',
    }),
});

export type DeviationPolicy = z.infer<typeof deviationPolicy>;

export const defaultDeviationPolicy: DeviationPolicy = {
  mode: 'monitor',
  weights: { off_topic: 1, category: 0.4, wording: 0.1, burst: 0.2, refusals: 0.5 },
  thresholds: { elevated: 0.5, high: 0.7, block: 0.9 },
};

/**
 * The components add up to the change. Signals are never negative and include value and weight. `return` is the
 * decrease per request, `time` the decay since the last request.
 */
export const deviationReceipt = z.object({
  name: z.enum([...deviationSignals, 'return', 'time', 'review']),
  amount: z.number(),
  value: z.number().optional(),
  weight: z.number().optional(),
});

export type DeviationReceipt = z.infer<typeof deviationReceipt>;

export const deviationLevels = ['normal', 'elevated', 'high'] as const;

export type DeviationLevel = (typeof deviationLevels)[number];

export const appealStatuses = ['open', 'granted', 'denied'] as const;

/** `task` is an unsaved draft that replaces a stored task. */
export const previewBody = z.strictObject({
  text: z
    .string(whenAbsent('Please enter a prompt'))
    .min(1, 'Please enter a prompt')
    .max(100_000, 'A prompt must be at most 100,000 characters'),
  task_id: id.optional(),
  user_id: id.optional(),
  task: z
    .strictObject({
      title: z.string().max(titleMax),
      description: z.string().max(descriptionMax),
      category: z.enum(taskCategories),
    })
    .optional(),
});

/**
 * `start` and `end` are UTF-16 offsets. A positive `weight` supports the intent, a negative weight counts against it.
 */
export const intentWord = z.object({
  text: z.string(),
  start: z.number().int(),
  end: z.number().int(),
  weight: z.number(),
});

export type IntentWord = z.infer<typeof intentWord>;

/** Each `contribution` is `weight` times `value`. The deviation is their sum, at most 1. */
export const deviationPreview = z.object({
  value: z.number(),
  signals: z.array(
    z.object({
      name: z.enum(deviationSignals),
      value: z.number(),
      weight: z.number(),
      contribution: z.number(),
    }),
  ),
});

/** Words are in text order. */
export const intentReading = z.object({
  intent: z.enum(intentNames),
  confidence: z.number(),
  probabilities: z.record(z.enum(intentNames), z.number()),
  words: z.array(intentWord),
});

export type IntentReading = z.infer<typeof intentReading>;

export const governancePreview = intentReading.extend({
  /** `id` is null for a draft. */
  task: z
    .object({ id: z.number().int().nullable(), title: z.string(), category: z.enum(taskCategories) })
    .nullable(),
  deviation: deviationPreview,
  /** Effect on the given user's score, and the resulting decision. */
  score: z
    .object({
      before: z.number(),
      after: z.number(),
      level: z.enum(deviationLevels),
      receipts: z.array(deviationReceipt),
      is_refused: z.boolean(),
    })
    .nullable(),
});

export type GovernancePreview = z.infer<typeof governancePreview>;

const appealText = (label: string) =>
  z
    .string(whenAbsent(`${label} is required`))
    .trim()
    .min(1, `${label} is required`)
    .max(2_000, `${label} must be at most 2,000 characters`);

/** Each block allows one appeal. */
export const appeal = z.object({
  id: z.number().int(),
  user_id: z.number().int(),
  user_name: z.string(),
  user_email: z.string(),
  status: z.enum(appealStatuses),
  message: z.string(),
  created_at: instant,
  block: z.object({
    reason: z.string(),
    score: z.number(),
    request_id: requestId.nullable(),
    created_at: instant,
  }),
  note: z.string().nullable(),
  decided_at: instant.nullable(),
});

export type Appeal = z.infer<typeof appeal>;

const crossing = z.object({ request_id: requestId, timestamp: instant, score: z.number() });

/** Effect on the given days, regardless of the mode of the policy. */
export const policyReplay = z.object({
  /** Counts stored requests that change a score. */
  requests: z.number().int(),
  people: z.array(
    z.object({
      user_id: z.number().int(),
      user_name: z.string(),
      user_email: z.string(),
      requests: z.number().int(),
      highest_score: z.number(),
      /** Request that raised the score above `elevated`. */
      warned: crossing,
      /** Request that raised the score to `block`. Later requests are not counted. */
      blocked: crossing.nullable(),
    }),
  ),
});

export type PolicyReplay = z.infer<typeof policyReplay>;

export const intentCorrection = z.object({
  request_id: requestId,
  intent: z.enum(intentNames),
  intent_before: z.string().nullable(),
  corrected_at: instant,
});

export type IntentCorrection = z.infer<typeof intentCorrection>;

const read = { surface: 'management', permission: 'governance.read' } as const;
const write = { surface: 'management', permission: 'governance.write' } as const;
const account = { surface: 'management', permission: 'account.read' } as const;
const logParams = z.object({ id: requestId });

export const governanceRoutes = defineRoutes({
  previewGovernance: {
    ...read,
    method: 'POST',
    path: '/admin/governance/preview',
    summary: 'Preview how a prompt is scored and which words support its intent; costs and stores nothing',
    request: { body: previewBody },
    response: governancePreview,
  },
  replayPolicy: {
    ...read,
    method: 'POST',
    path: '/admin/governance/replay',
    summary:
      'Replay a policy against recent requests: which users it would have warned or blocked, and at which request; changes nothing',
    request: {
      body: z.strictObject({
        policy: deviationPolicy,
        days: z.number().int().min(1, 'Days must be at least 1').max(90, 'Days must be at most 90'),
      }),
    },
    response: policyReplay,
  },
  createAppeal: {
    refusesTokens: true,
    idempotent: true,
    ...account,
    method: 'POST',
    path: '/user/appeals',
    summary: "Appeal the block of the caller's account, once per block",
    request: { body: z.strictObject({ message: appealText('A message') }) },
    response: appeal,
    status: 201,
  },
  listOwnAppeals: {
    ...account,
    method: 'GET',
    path: '/user/appeals',
    summary: "List the caller's own appeals, newest first",
    response: z.array(appeal),
  },
  listAppeals: {
    ...read,
    method: 'GET',
    path: '/admin/governance/appeals',
    summary: "List the tenant's appeals, newest first",
    request: {
      query: z.strictObject({
        status: z.enum(appealStatuses).optional(),
        ...pageQuery(50),
        before: pageBefore,
      }),
    },
    response: z.array(appeal),
  },
  decideAppeal: {
    ...write,
    method: 'POST',
    path: '/admin/governance/appeals/{id}/decide',
    summary: 'Grant an appeal, which lifts the block, or deny it; the user sees the note',
    request: {
      params: idParams,
      body: z.strictObject({ decision: z.enum(['grant', 'deny']), note: appealText('A note') }),
    },
    response: appeal,
  },
  reopenAppeal: {
    ...write,
    method: 'POST',
    path: '/admin/governance/appeals/{id}/reopen',
    summary: 'Withdraw the denial of an appeal while the block is in force',
    request: { params: idParams },
    response: appeal,
  },
  correctIntent: {
    ...write,
    method: 'PUT',
    path: '/admin/logs/{id}/intent',
    summary:
      'Correct the intent of a prompt; the prompt becomes a training row, and the log entry is unchanged',
    request: { params: logParams, body: z.strictObject({ intent: z.enum(intentNames) }) },
    response: intentCorrection,
  },
  listCorrections: {
    ...read,
    method: 'GET',
    path: '/admin/governance/corrections',
    summary:
      'Export all corrected prompts as JSON lines of text and label, for `npm run train -- --corrections`',
    response: z.string(),
  },
  explainLog: {
    ...read,
    method: 'GET',
    path: '/admin/logs/{id}/explanation',
    summary: 'Explain which words of a stored prompt supported its intent, according to the current model',
    request: { params: logParams },
    response: intentReading,
  },
  explainOwnRequest: {
    ...account,
    method: 'GET',
    path: '/user/logs/{id}/explanation',
    summary: "Explain which words supported the intent of one of the caller's own requests",
    request: { params: logParams },
    response: intentReading,
  },
});
