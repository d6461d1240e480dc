// The page of the lab.

import { Lab } from "./python.js";

window.lab = Lab.start();
