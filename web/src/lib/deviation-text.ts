import type { DeviationReceipt, DeviationSignal } from '@sluice/contract';

/** Label and meaning of each signal. */
export const signalTexts: Readonly<Record<DeviationSignal, { label: string; meaning: string }>> = {
  off_topic: { label: 'Off topic', meaning: 'The prompt is not about work.' },
  category: { label: 'Other category', meaning: 'The prompt is work of another category than the task.' },
  wording: { label: 'Wording', meaning: 'The wording differs from the task.' },
  burst: { label: 'Burst', meaning: "More requests than this person's usual hour." },
  refusals: { label: 'Refusals', meaning: 'Earlier requests were refused.' },
};

/** Text for each line of a score change. */
export const receiptTexts: Readonly<Record<DeviationReceipt['name'], string>> = {
  off_topic: signalTexts.off_topic.label,
  category: signalTexts.category.label,
  wording: signalTexts.wording.label,
  burst: signalTexts.burst.label,
  refusals: signalTexts.refusals.label,
  return: 'Decay',
  time: 'Decay since the previous request',
  review: 'Decided by an administrator',
};
