import { join } from 'node:path';
import { proveAllowances } from './allowances.ts';
import { proveBodies } from './bodies.ts';
import { proveBounds } from './bounds.ts';
import { proveChecks } from './checks.ts';
import { proveClients } from './clients.ts';
import { proveClocks } from './clocks.ts';
import { proveConsoleRest } from './console-rest.ts';
import { proveDisconnects } from './disconnects.ts';
import { saveProof } from './document.ts';
import { proveFairness } from './fairness.ts';
import { proveFaults } from './faults.ts';
import { proveFullSize, proveImport, proveJobs, proveJourneys, proveSamples } from './full-size.ts';
import { proveFuzz } from './fuzz.ts';
import { proveImage } from './image.ts';
import { proveKill } from './kill.ts';
import { proveLedger } from './ledger.ts';
import { proveLitellmCalls } from './litellm-calls.ts';
import { proveOpenId } from './openid.ts';
import { proveOutage } from './outage.ts';
import { proveOverload } from './overload.ts';
import { provePositions } from './positions.ts';
import type { Proof } from './proof.ts';
import { proveRevocation } from './revocation.ts';
import { proveRolling } from './rolling.ts';
import { proveRotation } from './rotation.ts';
import { proveScale } from './scale.ts';
import { proveScim } from './scim.ts';
import { proveSlowCallers } from './slow-callers.ts';
import { proveSnapshot } from './snapshot.ts';
import { proveSoak } from './soak.ts';
import { proveStarts } from './starts.ts';
import { proveSuperAdmins } from './super-admins.ts';
import { proveTenancy } from './tenancy.ts';
import { proveUpgrade } from './upgrade.ts';

const proofs = new Map<string, Proof>([
  ['allowances', proveAllowances],
  ['bodies', proveBodies],
  ['bounds', proveBounds],
  ['checks', proveChecks],
  ['clients', proveClients],
  ['clocks', proveClocks],
  ['console-rest', proveConsoleRest],
  ['disconnects', proveDisconnects],
  ['fairness', proveFairness],
  ['faults', proveFaults],
  ['full-size', proveFullSize],
  ['fuzz', proveFuzz],
  ['image', proveImage],
  ['import', proveImport],
  ['jobs', proveJobs],
  ['journeys', proveJourneys],
  ['kill', proveKill],
  ['ledger', proveLedger],
  ['litellm-calls', proveLitellmCalls],
  ['openid', proveOpenId],
  ['outage', proveOutage],
  ['overload', proveOverload],
  ['positions', provePositions],
  ['revocation', proveRevocation],
  ['rolling', proveRolling],
  ['rotation', proveRotation],
  ['samples', proveSamples],
  ['scale', proveScale],
  ['scim', proveScim],
  ['slow-callers', proveSlowCallers],
  ['snapshot', proveSnapshot],
  ['soak', proveSoak],
  ['starts', proveStarts],
  ['super-admins', proveSuperAdmins],
  ['tenancy', proveTenancy],
  ['upgrade', proveUpgrade],
]);
const docs = join(import.meta.dirname, '../../docs');

const wanted = process.argv.slice(2);
const unknown = wanted.filter((id) => !proofs.has(id));
if (unknown.length > 0) {
  console.error(`Unknown proof: ${unknown.join(', ')}. Available proofs: ${[...proofs.keys()].join(', ')}.`);
  process.exit(1);
}

for (const [id, prove] of proofs) {
  if (wanted.length > 0 && !wanted.includes(id)) continue;
  const result = await prove();
  if ('skipped' in result) {
    console.log(`Skipped ${id}: ${result.skipped}.`);
    continue;
  }
  console.log(saveProof(docs, id, result, new Date()));
  if (!result.holds) process.exitCode = 1;
}
