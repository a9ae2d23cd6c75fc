import type { DeviationReceipt, DeviationSignal } from '@sluice/contract';

/** What each signal is called, and what it says. */
export const signalTexts: Readonly<Record<DeviationSignal, { label: string; meaning: string }>> = {
  off_topic: { label: 'Off topic', meaning: 'The prompt asks for nothing that is work.' },
  category: { label: 'Other category', meaning: 'It is work, of another kind than the task.' },
  wording: { label: 'Wording', meaning: "Its words are far from the task's." },
  burst: { label: 'Burst', meaning: "More requests than this person's usual hour." },
  refusals: { label: 'Refusals', meaning: 'The gate refused earlier tries.' },
};

/** What each line of a change says. */
export const receiptTexts: Readonly<Record<DeviationReceipt['name'], string>> = {
  off_topic: signalTexts.off_topic.label,
  category: signalTexts.category.label,
  wording: signalTexts.wording.label,
  burst: signalTexts.burst.label,
  refusals: signalTexts.refusals.label,
  return: 'Way back, as with every request',
  time: 'Faded since the request before',
  review: 'Decided by an administrator',
};
