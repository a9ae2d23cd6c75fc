import { shareConsole } from './console.ts';
import { describeLooks, type State } from './looks.ts';
import { busyDay, openCockpit, quietDay } from './overview-page.ts';

shareConsole();

const states: readonly State[] = [
  { name: 'today', isInEveryLook: true, show: (page) => openCockpit(page, busyDay) },
  { name: 'quiet-day', show: (page) => openCockpit(page, quietDay) },
];

describeLooks('the overview of a tenant that is set up', 'overview', states);
