import { startBareNode } from './bare-node.ts';
import { startLitellm } from './litellm.ts';
import { startNginx } from './nginx.ts';
import { startPortkey } from './portkey.ts';
import { providerAt } from './provider.ts';
import { startSluice, startSluiceAgain, startSluiceBefore } from './sluice.ts';
import type { Subject } from './subject.ts';

/** Subjects of the comparison, in the order of their turns. */
export const subjects: Subject[] = [
  { name: 'direct', start: async ({ upstream }) => providerAt(upstream) },
  { name: 'nginx', start: startNginx },
  { name: 'bare', start: startBareNode },
  { name: 'bare-parsing', start: (surroundings) => startBareNode(surroundings, '--parse') },
  { name: 'sluice', start: startSluice },
  { name: 'sluice-again', start: startSluiceAgain },
  { name: 'sluice-before', start: startSluiceBefore },
  { name: 'portkey', start: startPortkey },
  { name: 'litellm', start: startLitellm },
];
