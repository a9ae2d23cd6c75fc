import type { ServerResponse } from 'node:http';
import type { Answer } from '../generation/answer.ts';
import type { FrameRun, Outcome } from '../journal.ts';
import type { Model } from '../models/catalogue.ts';

/** One answer on its way to one client. */
export interface Delivery {
  response: ServerResponse;
  model: Model;
  answer: Answer;
  /** the vendor's own headers as name, value, name, value; asked for when the first byte is due */
  headers: () => string[];
}

/** What the journal keeps about the way an answer went. */
export interface Delivered {
  completionTokens: number;
  bodyBytes: number;
  frames: FrameRun[];
  outcome: Outcome;
}
