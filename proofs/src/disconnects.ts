import {
  createDisconnectSubject,
  type Departure,
  type Place,
  places,
  type RouteName,
  routes,
} from '#test/load/disconnects.ts';
import type { ProofResult } from './proof.ts';

const positions = 501;

/** Disconnects from streams at many positions, and compares the charge with the output of the provider. */
export async function proveDisconnects(): Promise<ProofResult> {
  const subject = await createDisconnectSubject();
  try {
    const departures = await subject.leave(positions);
    const audit = await subject.audit();
    const faults = [...departures.flatMap((departure) => departure.faults), ...audit.faults];
    return {
      title: 'a caller that disconnects pays for the output generated, and its holds are released',
      holds: faults.length === 0,
      text: describe(departures, faults),
    };
  } finally {
    await subject.remove();
  }
}

function describe(departures: readonly Departure[], faults: readonly string[]): string {
  const names = Object.keys(routes) as RouteName[]; // safe because the keys are those of RouteName
  const rows = [
    ...names.flatMap((route) => places.map((place) => formatRow(departures, route, place))),
    formatRow(departures),
  ];
  return `Callers with their own sockets read a stream up to a position and disconnect, twelve at a time: before the first byte, inside
frames, between frames, in the last frames, and after the end marker before the connection closes. The provider runs in a separate process from the
gateway, sends one token per 20 ms, each in its own frame, and counts the tokens that it has sent until it is cut off. For each caller:

- it has one row, \`client_closed\`, or \`success\` if the complete response had passed through the gateway;
- the charge is at most the generated output, at least the output that the caller received in whole frames, and at least the output
generated before the disconnect minus one frame; the cost matches the tokens; a complete response is charged as reported by the provider;
- the provider is cut off within one second.

Afterwards, all slots of the user can be used at the same time, no amounts are leased when the gateway reports its holds, and rows, ledger,
balances, limits and rollups agree.

| response | disconnected | positions | wrong | tokens generated | tokens charged | cut off after, at most |
|---|---|---|---|---|---|---|
${rows.join('\n')}${faults.map((fault) => `\n- ${fault}`).join('')}`;
}

function formatRow(departures: readonly Departure[], route?: RouteName, place?: Place): string {
  const chosen = departures.filter(
    (one) => (!route || one.route === route) && (!place || one.place === place),
  );
  const sum = (pick: (departure: Departure) => number) =>
    chosen.reduce((total, departure) => total + pick(departure), 0);
  const cells = [
    route ?? 'all',
    place ?? 'anywhere',
    chosen.length,
    sum(({ faults }) => faults.length),
    sum(({ generated }) => generated),
    sum(({ charged }) => charged),
    `${Math.max(0, ...chosen.map(({ cutMs }) => cutMs))} ms`,
  ];
  return `| ${cells.join(' | ')} |`;
}
