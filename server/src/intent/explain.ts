import { FeatureReader } from './feature-reader.ts';
import { type Intent, type IntentModel, intents, zoneScale } from './model.ts';
import { zones } from './zones.ts';

export interface WordWeight {
  start: number;
  end: number;
  weight: number;
}

export interface Explanation {
  /** In text order. Omits words from the part of the text that was not read. */
  words: WordWeight[];
  /** Contribution of the intent's prior, punctuation, length and shape. */
  rest: number;
}

const reader = new FeatureReader();

/** The weights and `rest` add up to the intent's logit. */
export function explain(text: string, intent: Intent, model: IntentModel): Explanation {
  reader.read(text);
  const column = intents.indexOf(intent);
  const { tokenWeights, rest } = weighTokens(reader, column, model);
  const words: WordWeight[] = [];
  let total = rest;
  for (const [token, weight] of tokenWeights.entries()) {
    if (reader.isWord[token] === 0) total += weight;
    else words.push({ start: reader.tokenStarts[token] ?? 0, end: reader.tokenEnds[token] ?? 0, weight });
  }
  return { words, rest: total };
}

function weighTokens(
  { buckets, owners, zoneEnds, tokenCount }: FeatureReader,
  column: number,
  model: IntentModel,
) {
  const tokenWeights = new Float64Array(tokenCount);
  let rest = model.biases[column] ?? 0;
  let from = 0;
  for (const zone of zones.keys()) {
    const to = zoneEnds[zone] ?? from;
    const factor = model.scale * zoneScale(zone, to - from);
    for (let feature = from; feature < to; feature++) {
      const weight = factor * (model.weights[(buckets[feature] ?? 0) * intents.length + column] ?? 0);
      const owner = owners[feature] ?? 0;
      const token = owner >> 1;
      const isShared = (owner & 1) === 1;
      if (zones[zone] === 'shape') rest += weight;
      else {
        tokenWeights[token] = (tokenWeights[token] ?? 0) + (isShared ? weight / 2 : weight);
        if (isShared) tokenWeights[token - 1] = (tokenWeights[token - 1] ?? 0) + weight / 2;
      }
    }
    from = to;
  }
  return { tokenWeights, rest };
}
