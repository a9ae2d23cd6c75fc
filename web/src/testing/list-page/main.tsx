import { MantineProvider } from '@mantine/core';
import { createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import '#app/styles/index.css';
import { resolveCssVariables, theme } from '#app/theme.ts';
import { tableSearch } from '#components/data-table/table-search.ts';
import { GatesPage } from './gates-page.tsx';
import { LocksPage } from './locks-page.tsx';
import { scrollThrough } from './scroll-through.ts';

const rootRoute = createRootRoute({ validateSearch: tableSearch });
const routes = [
  createRoute({ getParentRoute: () => rootRoute, path: '/', component: LocksPage }),
  createRoute({ getParentRoute: () => rootRoute, path: '/gates', component: GatesPage }),
];
const router = createRouter({ routeTree: rootRoute.addChildren(routes) });

Object.assign(globalThis, { scrollThrough });

const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <MantineProvider theme={theme} cssVariablesResolver={resolveCssVariables} defaultColorScheme="auto">
      {/* safe because the types describe only the product's router */}
      <RouterProvider router={router as never} />
    </MantineProvider>,
  );
}
