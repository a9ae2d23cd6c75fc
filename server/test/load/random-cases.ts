import fc from 'fast-check';
import { isFullSize, sampleRuns } from './sample.ts';

/** Setup of unit tests: random cases are the same in each run of `npm test`, and differ at full size. */
if (!isFullSize) fc.configureGlobal({ seed: 20_261_126, numRuns: sampleRuns(100) });
