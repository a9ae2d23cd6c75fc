import { describe, expect, it } from 'vitest';
import { judgePrompt } from './judge-prompt.ts';
import { readTaskWords } from './wording.ts';

const words = readTaskWords(
  'Invoice export',
  'Build the CSV export of invoices with totals per customer and currency, and its pagination.',
);
const coding = { category: 'coding', words } as const;
const sure = (intent: Parameters<typeof judgePrompt>[1]['intent']) => ({ intent, confidence: 0.9 });
const story = 'Tell me a bedtime story about the dragon who was afraid of darkness and lived alone';

describe('what a prompt says', () => {
  it('is nothing when it does what its task is for', () => {
    expect(judgePrompt('Paginate the invoice export by customer', sure('coding'), coding)).toEqual({
      off_topic: 0,
      category: 0,
      wording: 0,
    });
  });

  it('speaks by topic, category and wording when it is off the topic', () => {
    expect(judgePrompt(story, sure('off_topic'), coding)).toEqual({
      off_topic: 0.9,
      category: 0.9,
      wording: 1,
    });
  });

  it('has no category to be measured by without a task, or with one that takes any work', () => {
    expect(judgePrompt(story, sure('research'), null)).toEqual({ off_topic: 0, category: 0, wording: 0 });
    expect(judgePrompt(story, sure('research'), { ...coding, category: 'other' }).category).toBe(0);
  });

  it('halves its wording with one word that the task shares', () => {
    const one = 'Compare several currency markets over twenty decades before breakfast';
    expect(judgePrompt(one, sure('coding'), coding).wording).toBe(0.5);
  });

  it.each([
    ['a prompt of few words', 'yes, go on please', coding],
    ['a task that is only named', story, { category: 'coding', words: readTaskWords('Work', '') } as const],
  ])('has no wording to be measured by with %s', (_, prompt, task) => {
    expect(judgePrompt(prompt, sure('coding'), task).wording).toBe(0);
  });
});
