export { LogDetail } from './detail.tsx';
export { LogDrawer } from './drawer.tsx';
export { LogFacets } from './facets.tsx';
