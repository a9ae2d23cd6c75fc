import { z } from 'zod';
import { id } from '../ids.ts';
import { defineRoutes } from '../route.ts';
import { descriptionMax, taskCategories, titleMax } from './tasks.ts';

export const intentNames = ['coding', 'testing', 'documentation', 'research', 'off_topic', 'other'] as const;

export type IntentName = (typeof intentNames)[number];

/** What moves the score, in the order in which it is told. */
export const deviationSignals = ['off_topic', 'category', 'wording', 'burst', 'refusals'] as const;

/** `task` stands in for a stored one, so that a draft can be tried. */
export const previewBody = z.strictObject({
  text: z.string().min(1, 'Please enter a prompt').max(100_000, 'A prompt has at most 100,000 characters'),
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

/** `start` and `end` count UTF-16 units of the text; `weight` above zero speaks for the intent, below against it. */
export const intentWord = z.object({
  text: z.string(),
  start: z.number().int(),
  end: z.number().int(),
  weight: z.number(),
});

export type IntentWord = z.infer<typeof intentWord>;

/** `contribution` is `weight` times `value`; their sum, at most 1, is what one request deviates. */
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

export const governancePreview = z.object({
  intent: z.enum(intentNames),
  confidence: z.number(),
  probabilities: z.record(z.enum(intentNames), z.number()),
  words: z.array(intentWord),
  deviation: deviationPreview,
});

export type GovernancePreview = z.infer<typeof governancePreview>;

export const governanceRoutes = defineRoutes({
  previewGovernance: {
    method: 'POST',
    path: '/admin/governance/preview',
    surface: 'management',
    permission: 'governance.read',
    summary: 'How a prompt would be judged, and which words speak for it; spends and stores nothing',
    request: { body: previewBody },
    response: governancePreview,
  },
});
