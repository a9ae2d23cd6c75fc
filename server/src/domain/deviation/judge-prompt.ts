import type { IntentName, taskCategories } from '@sluice/contract';
import type { SignalValues } from './signals.ts';
import { compareWording, readTaskWords, type TaskWords } from './wording.ts';

/** The properties of a task that prompts are compared with. */
export interface JudgedTask {
  readonly category: (typeof taskCategories)[number];
  readonly words: TaskWords;
}

interface DescribedTask extends Pick<JudgedTask, 'category'> {
  readonly title: string;
  readonly description: string;
  /** Whether the task covers everything its user sends, so that its wording is not compared. */
  readonly isApiAccess: boolean;
}

export function readJudgedTask({ category, title, description, isApiAccess }: DescribedTask): JudgedTask {
  return { category, words: isApiAccess ? new Set() : readTaskWords(title, description) };
}

/**
 * Returns the signals of a prompt. Off-topic prompts also deviate from their task's category. Tasks of category `other`
 * allow any work, so they have no category signal.
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
