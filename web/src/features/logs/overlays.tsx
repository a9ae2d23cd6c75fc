export { LogDetail } from './detail.tsx';
export { LogDrawer } from './drawer.tsx';
export { LogExportDialog } from './export-dialog.tsx';
export { LogFacets } from './facets.tsx';
