import { bucketBits, type FeatureReader } from './feature-reader.ts';
import { zones } from './zones.ts';

/** `other` is work that fits none of the first four, such as business mail and translation. */
export const intents = ['coding', 'testing', 'documentation', 'research', 'off_topic', 'other'] as const;
export type Intent = (typeof intents)[number];

/** `weights[bucket * 6 + intent] * scale` is a feature's contribution to an intent's logit. */
export interface IntentModel {
  weights: Int8Array;
  scale: number;
  /** Divisor of the logits before softmax. */
  temperature: number;
  biases: Float64Array;
}

const magic = 0x54_4e_49_53;
/** Increment with every change to the features in `feature-reader.ts`, since the weights depend on them. */
const featureVersion = 2;
const headerBytes = 4 * (5 + intents.length);
const zoneShares = [1, 0.5, 0.7, 0.1];

/** Throws if the bytes are not a model of this version. */
export function loadModel(bytes: Uint8Array): IntentModel {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const expectedBytes = headerBytes + (intents.length << bucketBits);
  const isKnown = bytes.length === expectedBytes && header.getUint32(0, true) === magic;
  if (!isKnown || header.getUint32(4, true) !== featureVersion || header.getUint32(8, true) !== bucketBits) {
    throw new Error('the intent model does not match this version: run npm run train');
  }
  return {
    weights: new Int8Array(bytes.buffer, bytes.byteOffset + headerBytes, intents.length << bucketBits),
    scale: header.getFloat32(12, true),
    temperature: header.getFloat32(16, true),
    biases: Float64Array.from(intents, (_, intent) => header.getFloat32(20 + 4 * intent, true)),
  };
}

export function encodeModel(model: IntentModel): Uint8Array {
  const bytes = new Uint8Array(headerBytes + model.weights.length);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, magic, true);
  header.setUint32(4, featureVersion, true);
  header.setUint32(8, bucketBits, true);
  header.setFloat32(12, model.scale, true);
  header.setFloat32(16, model.temperature, true);
  for (const [intent, bias] of model.biases.entries()) header.setFloat32(20 + 4 * intent, bias, true);
  bytes.set(
    new Uint8Array(model.weights.buffer, model.weights.byteOffset, model.weights.length),
    headerBytes,
  );
  return bytes;
}

/** The scale decreases with the number of features, so that long zones do not dominate. */
export function zoneScale(zone: number, count: number): number {
  return count === 0 ? 0 : (zoneShares[zone] ?? 0) / Math.sqrt(count);
}

export function computeLogits(reader: FeatureReader, { weights, scale, biases }: IntentModel): Float64Array {
  const logits = biases.slice();
  let from = 0;
  for (const zone of zones.keys()) {
    const to = reader.zoneEnds[zone] ?? from;
    addZone(logits, reader.buckets, from, to, weights, scale * zoneScale(zone, to - from));
    from = to;
  }
  return logits;
}

/** Sums in six local variables, since the loop dominates the cost of a classification. */
function addZone(
  logits: Float64Array,
  buckets: Uint32Array,
  from: number,
  to: number,
  weights: Int8Array,
  factor: number,
): void {
  let [coding, testing, documentation, research, offTopic, other] = [0, 0, 0, 0, 0, 0];
  for (let feature = from; feature < to; feature++) {
    const base = (buckets[feature] ?? 0) * 6;
    coding += weights[base] ?? 0;
    testing += weights[base + 1] ?? 0;
    documentation += weights[base + 2] ?? 0;
    research += weights[base + 3] ?? 0;
    offTopic += weights[base + 4] ?? 0;
    other += weights[base + 5] ?? 0;
  }
  const sums = [coding, testing, documentation, research, offTopic, other];
  for (const [intent, sum] of sums.entries()) logits[intent] = (logits[intent] ?? 0) + sum * factor;
}
