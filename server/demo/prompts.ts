import type { taskCategories } from '@sluice/contract';

type Category = (typeof taskCategories)[number];

/** Prompts about the demo's tasks. `*` is replaced by a word of the vocabulary. */
const taskPrompts: Partial<Record<Category, readonly string[]>> = {
  coding: [
    'Refactor the importer so that its * and its * become two modules',
    'Fix the deadlock in the importer: after the refactoring the * waits for the *',
    'Implement the importer step that reads the * into the *, split into small functions',
    'Why does this function of the importer return undefined for the *? I split the * from it.',
  ],
  testing: [
    'Write unit tests for the scheduler with a mocked * and a mocked *',
    'Cover the retries of the scheduler with integration tests: the * fails, then the *',
    'Add test cases for a schedule with an invalid * to the tests of the *',
    'Which edge cases of the scheduler, its * and its * are not covered by our test suite?',
  ],
  documentation: [
    'Describe the installation of the * for the handbook, with a section about the *',
    'Write the chapter of the handbook about the daily operation of the * and the *',
    'Document the * of the handbook in Markdown and describe each * in a table',
    'Add an introduction to the handbook that describes the * and links to the *',
  ],
  research: [
    'Compare three vector stores with our own documents: latency, cost and recall of the * and the *',
    'Which vector stores do recent papers compare for a large *, and how do they measure the *?',
    'Compare how vector stores partition the * of our documents, and cite sources about the *',
    'What do recent papers say about vector stores for documents with a * and a *?',
  ],
};

const apiPrompts: readonly string[] = [
  'Refactor the * so that the * and the * are split into two modules',
  'Fix the deadlock in the * when the * waits for the *',
  'Implement an iterator over the * of the * in Python',
  'Add a timeout to the * and log the latency of the *',
  'Write unit tests for the * with a mocked * and a mocked *',
  'Add test cases for an invalid * to the test suite of the *',
  'Document the schema of the * in Markdown, with an example of the *',
  'Write a README for the * with a section about the *',
  'Compare the * with the * under high latency and cite sources',
  'Translate this mail about the * and the * into German',
];

const offTopicPrompts: readonly string[] = [
  'Write a love poem about my cat and the moon',
  'Plan a weekend in Lisbon with my family, with restaurants and beaches',
  'Write a birthday speech for my grandmother, who loves her garden',
  'Tell me a joke for the wedding party of my brother',
  'Recommend a movie for tonight, something like Alien',
  'Suggest a recipe for lasagna for eight people and a dessert',
];

export const vocabulary =
  'parser cache invoice schema button queue socket ledger worker token index migration deadlock timeout vector report contract gateway stream header kernel matrix policy cluster snapshot partition encoder budget trigger latency checksum iterator compiler widget payload scheduler semaphore replica journal webhook'.split(
    ' ',
  );

interface PromptDraw {
  /** UUID whose last 12 digits are random. */
  readonly id: string;
  readonly category: Category;
  /** Share of the user's requests that are off topic. */
  readonly offTopicShare: number;
}

/** The same id always returns the same prompt. */
export function choosePrompt({ id, category, offTopicShare }: PromptDraw): string {
  const isOffTopic = Number.parseInt(id.slice(-12, -6), 16) / 0x1000000 < offTopicShare;
  const place = Number.parseInt(id.slice(-6), 16);
  const prompts = isOffTopic ? offTopicPrompts : (taskPrompts[category] ?? apiPrompts);
  let rest = Math.floor(place / prompts.length);
  return (prompts[place % prompts.length] ?? '').replaceAll('*', () => {
    const word = vocabulary[rest % vocabulary.length] ?? '';
    rest = Math.floor(rest / 7);
    return word;
  });
}

/**
 * Returns a share that is low for most users and varies over weeks. `place` is the user's position in `demo_people`.
 */
export function offTopicShareOf(place: number, atMs: number): number {
  const habit = (((place * 37) % 100) / 100) ** 3 * 0.95;
  return habit + 0.05 * Math.sin(atMs / 4.5e8 + place);
}
