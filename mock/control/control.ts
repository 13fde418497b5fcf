import type { House } from '../house.ts';
export interface Control { readonly house: House }
export function controlOf(house: House): Control { return { house }; }
