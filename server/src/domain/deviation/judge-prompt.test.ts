import { describe, expect, it } from 'vitest';
import { judgePrompt, readTaskWords } from './judge-prompt.ts';

const words = readTaskWords(
  'Invoice export',
  'Build the CSV export of invoices with totals per customer and currency, and its pagination.',
);
const coding = { category: 'coding', words } as const;
const sure = (intent: Parameters<typeof judgePrompt>[1]['intent']) => ({ intent, confidence: 0.9 });
const story = 'Tell me a bedtime story about the dragon who was afraid of darkness and lived alone';

describe('judgePrompt', () => {
  it('judgePrompt returns no signals for an on-task prompt', () => {
    expect(judgePrompt('Paginate the invoice export by customer', sure('coding'), coding)).toEqual({
      off_topic: 0,
      category: 0,
      wording: 0,
    });
  });

  it('judgePrompt returns topic, category and wording for an off-topic prompt', () => {
    expect(judgePrompt(story, sure('off_topic'), coding)).toEqual({
      off_topic: 0.9,
      category: 0.9,
      wording: 1,
    });
  });

  it('judgePrompt returns no category signal without a task or for a task of category "other"', () => {
    expect(judgePrompt(story, sure('research'), null)).toEqual({ off_topic: 0, category: 0, wording: 0 });
    expect(judgePrompt(story, sure('research'), { ...coding, category: 'other' }).category).toBe(0);
  });

  it('judgePrompt halves the wording signal for one shared word', () => {
    const one = 'Compare several currency markets over twenty decades before breakfast';
    expect(judgePrompt(one, sure('coding'), coding).wording).toBe(0.5);
  });

  it.each([
    ['a prompt of few words', 'yes, go on please', coding],
    [
      'a task without a description',
      story,
      { category: 'coding', words: readTaskWords('Work', '') } as const,
    ],
  ])('judgePrompt returns no wording signal with %s', (_, prompt, task) => {
    expect(judgePrompt(prompt, sure('coding'), task).wording).toBe(0);
  });
});
