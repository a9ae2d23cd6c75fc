import { createReading, readFeatures, zones } from '../../server/src/intent/features.ts';
import { zoneScale } from '../../server/src/intent/model.ts';

/** The features of many texts, one after the other: those of text `t` stand from `starts[t]` to `starts[t + 1]`. */
export type ExampleSet = { starts: Uint32Array; buckets: Uint32Array; values: Float32Array };

export function readExamples(texts: string[]): ExampleSet {
  const reading = createReading();
  const starts = new Uint32Array(texts.length + 1);
  let buckets = new Uint32Array(1 << 20);
  let values = new Float32Array(1 << 20);
  let end = 0;
  for (const [index, text] of texts.entries()) {
    readFeatures(text, reading);
    if (end + reading.count > buckets.length) {
      buckets = grow(buckets, new Uint32Array(buckets.length * 2));
      values = grow(values, new Float32Array(values.length * 2));
    }
    buckets.set(reading.buckets.subarray(0, reading.count), end);
    let from = 0;
    for (let zone = 0; zone < zones.length; zone++) {
      const to = reading.zoneEnds[zone] ?? from;
      values.fill(zoneScale(zone, to - from), end + from, end + to);
      from = to;
    }
    end += reading.count;
    starts[index + 1] = end;
  }
  return { starts, buckets: buckets.slice(0, end), values: values.slice(0, end) };
}

function grow<Numbers extends Uint32Array | Float32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
