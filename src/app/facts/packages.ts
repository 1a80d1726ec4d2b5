import { Packages } from '../../features/package/data/store.ts'
import { judgePackage } from './judge-package.ts'

export const createPackages = (): Packages => new Packages(judgePackage)
