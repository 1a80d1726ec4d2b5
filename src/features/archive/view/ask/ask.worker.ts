/** Entry of the engine's worker, which nothing may import: see `app/capture.worker.ts`. */
import './ask-main.worker.ts'
