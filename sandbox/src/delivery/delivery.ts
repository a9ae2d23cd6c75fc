import type { ServerResponse } from 'node:http';
import type { Answer } from '../generation/answer.ts';
import type { FrameRun, Outcome } from '../journal.ts';
import type { Model } from '../models/catalogue.ts';

/** Response in transit to a client. */
export interface Delivery {
  response: ServerResponse;
  model: Model;
  answer: Answer;
  /** Returns the vendor's own headers as name, value, name, value; called when the first byte is due. */
  headers: () => string[];
}

/** Outcome of a delivery, for the journal. */
export interface Delivered {
  completionTokens: number;
  bodyBytes: number;
  frames: FrameRun[];
  outcome: Outcome;
}
