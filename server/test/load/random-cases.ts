import fc from 'fast-check';
import { isFullSize, sampleRuns } from './sample.ts';

/** Setup of unit tests. Random cases are the same in each run of `npm test`, and random at full size. */
if (!isFullSize) fc.configureGlobal({ seed: 20_261_126, numRuns: sampleRuns(100) });
