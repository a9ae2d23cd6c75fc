import { FeatureReader } from '../../server/src/intent/feature-reader.ts';
import { zoneScale } from '../../server/src/intent/model.ts';
import { zones } from '../../server/src/intent/zones.ts';

/** Concatenated features of many texts. The features of text `t` are at `starts[t]` to `starts[t + 1]`. */
export interface ExampleSet {
  starts: Uint32Array;
  buckets: Uint32Array;
  values: Float32Array;
}

export function readExamples(texts: string[]): ExampleSet {
  const reader = new FeatureReader();
  const starts = new Uint32Array(texts.length + 1);
  let buckets = new Uint32Array(1 << 20);
  let values = new Float32Array(1 << 20);
  let end = 0;
  for (const [index, text] of texts.entries()) {
    reader.read(text);
    if (end + reader.count > buckets.length) {
      buckets = grow(buckets, new Uint32Array(buckets.length * 2));
      values = grow(values, new Float32Array(values.length * 2));
    }
    buckets.set(reader.buckets.subarray(0, reader.count), end);
    let from = 0;
    for (const zone of zones.keys()) {
      const to = reader.zoneEnds[zone] ?? from;
      values.fill(zoneScale(zone, to - from), end + from, end + to);
      from = to;
    }
    end += reader.count;
    starts[index + 1] = end;
  }
  return { starts, buckets: buckets.slice(0, end), values: values.slice(0, end) };
}

function grow<Numbers extends Uint32Array | Float32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
