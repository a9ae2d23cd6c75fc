import type { IntentName, taskCategories } from '@sluice/contract';
import type { SignalValues } from './signals.ts';
import { compareWording, readTaskWords, type TaskWords } from './wording.ts';

/** What a request works for, as far as its prompt is held against it. */
export interface JudgedTask {
  readonly category: (typeof taskCategories)[number];
  readonly words: TaskWords;
}

interface DescribedTask extends Pick<JudgedTask, 'category'> {
  readonly title: string;
  readonly description: string;
  /** Stands for whatever its person sends: its wording tells nothing of it. */
  readonly isApiAccess: boolean;
}

export function readJudgedTask({ category, title, description, isApiAccess }: DescribedTask): JudgedTask {
  return { category, words: isApiAccess ? new Set() : readTaskWords(title, description) };
}

/**
 * What a prompt alone says. An off-topic prompt speaks against its task's category too. A task of category `other`
 * takes any kind of work, so that it has no category to be measured by.
 */
export function judgePrompt(
  prompt: string,
  { intent, confidence }: { readonly intent: IntentName; readonly confidence: number },
  task: JudgedTask | null,
): SignalValues {
  const hasCategory = task !== null && task.category !== 'other';
  return {
    off_topic: intent === 'off_topic' ? confidence : 0,
    category: hasCategory && intent !== task.category ? confidence : 0,
    wording: task ? compareWording(prompt, task.words) : 0,
  };
}
